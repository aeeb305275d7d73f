import type { AiSdkMessage } from "../language-model.js";

/** The package sent a request without the changes of tools that it was given. */
export class ChangesNotTaken extends Error {
  override readonly name = "ChangesNotTaken";
}

/**
 * Whether the request that went out has the changes of tools that the package was given; false if it was given none, or doesn't say what it
 * sent. Throws `ChangesNotTaken` if they are lost. `body`: an object, JSON, or unknown.
 */
export function showsChanges(prompt: readonly AiSdkMessage[], body: unknown): boolean {
  if (body === undefined || !prompt.some(changesTools)) return false;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  if (/"tool_(addition|removal)"/.test(text)) return true;
  throw new ChangesNotTaken();
}

const changesTools = ({ role, providerOptions }: AiSdkMessage): boolean =>
  role === "system" && (providerOptions?.anthropic as { readonly toolChanges?: unknown } | undefined)?.toolChanges !== undefined;

/** An old package throws for a system message behind others. */
export const isUnsupported = (error: unknown): boolean =>
  (error as { readonly name?: unknown } | undefined)?.name === "AI_UnsupportedFunctionalityError";

/** `model`: its id. */
export const tooOld = (model: string): string =>
  `${model}: the provider's package can't send changed tools to the model in their place, so the beginning of the request is written anew ` +
  "with each change, and the provider's cache of it is lost. Install @ai-sdk/anthropic 3.0.139 or newer (4.0.105 for AI SDK 7).";
