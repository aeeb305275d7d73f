import type { Message } from "../message.js";
import type { ModelOptions } from "../chat-model.js";
import { isAnthropic } from "./claude-version.js";
import { ownMetadata } from "./replayed-metadata.js";

/**
 * The newest Claude models bind their thinking to the instructions, tools and messages before it. They reject a request that sends it back
 * after one of these changed. They take it if they may drop it, in that request and each later one.
 */
interface Thinking {
  readonly type?: string;
  readonly blockBinding?: { readonly prefixMismatchBehavior?: string };
}

/** The part of the error's text that stays the same; the part after it names what has changed. */
const stablePart = "bound to a different conversation";

/** The newest Claude models check this on Bedrock's Converse as well, where no option lets them drop the thinking. */
const checksThinking = (provider: string): boolean => isAnthropic(provider) || provider.startsWith("amazon-bedrock");

/** Whether a request failed because of thinking that belongs to another history, and nothing was said of what to do then. */
export function isBoundElsewhere(error: unknown, provider: string, options: ModelOptions = {}): boolean {
  const { statusCode, message, responseBody } = (error ?? {}) as { statusCode?: unknown; message?: unknown; responseBody?: unknown };
  return (
    checksThinking(provider) &&
    statusCode === 400 &&
    [message, responseBody].some((text) => typeof text === "string" && text.includes(stablePart)) &&
    thinkingOf(options)?.blockBinding?.prefixMismatchBehavior === undefined
  );
}

/** The live message lists of conversations whose thinking no longer fits, also if no answer says so yet. */
const unbound = new WeakSet<readonly Message[]>();

/** Remembers that a request of the conversation was rejected, in case its repetition gets no answer. */
export function rememberUnbound(messages: readonly Message[]): void {
  unbound.add(messages);
}

/** Whether an earlier request of the conversation had to drop thinking. The answers that followed say so, wherever they are stored. */
export const dropsThinking = (messages: readonly Message[]): boolean =>
  unbound.has(messages) ||
  messages.some((message) => message.role === "assistant" && ownMetadata(message.providerMetadata)?.dropsThinking === true);

/** The options with which thinking that no longer fits is dropped; the package adds the header. */
export function droppingThinking(provider: string, options: ModelOptions = {}): ModelOptions {
  const thinking = thinkingOf(options);
  if (!isAnthropic(provider) || thinking?.blockBinding?.prefixMismatchBehavior !== undefined) return options;
  const anthropic = {
    ...options.providerOptions?.anthropic,
    thinking: { type: "adaptive", ...thinking, blockBinding: { ...thinking?.blockBinding, prefixMismatchBehavior: "drop_block" } },
  };
  return { ...options, providerOptions: { ...options.providerOptions, anthropic } };
}

export const droppedWarning =
  "The thinking of earlier answers was dropped, because the instructions, the tools or the messages before it have changed.";

const thinkingOf = ({ providerOptions }: ModelOptions): Thinking | undefined =>
  providerOptions?.anthropic?.thinking as Thinking | undefined;
