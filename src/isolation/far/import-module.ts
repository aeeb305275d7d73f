import { messageOfThrown } from "../../execution/internal.js";
import { ToolDefinitionError } from "../../tool/index.js";
import type { FarCall } from "../messages.js";

/** A module that couldn't be imported. Node keeps the failure, so that this thread or process can't try again. */
export class ModuleError extends ToolDefinitionError {}

/** Imports a module. `owner` begins the error: the tool's name and what the module is to it. */
export async function importModule(url: string, owner: string, place: FarCall["place"]): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(url)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new ModuleError(`${owner} ${url} ${reasonOf(error, url, place)}`, { cause: error });
  }
}

function reasonOf(error: unknown, url: string, place: FarCall["place"]): string {
  const { code = "", name = "" } = (error ?? {}) as { readonly code?: string; readonly name?: string };
  const message = messageOfThrown(error).replace(/\.?$/, ".");
  const isTypeScript = /\.[cm]?tsx?(?:\?|$)/.test(url);
  if (isTypeScript && (name === "SyntaxError" || cannotLoad.test(code))) {
    return (
      `is TypeScript, which the ${place} can't load: ${message} ` +
      "Run the compiled JavaScript, or start the application with a loader, which the tools then have too: node --import tsx app.ts."
    );
  }
  if (code === "ERR_MODULE_NOT_FOUND" && message.includes(`'${new URL(url).pathname}'`)) {
    return "isn't there. If a bundler moved it, leave the tool's file out of the bundle.";
  }
  return `failed while the ${place} imported it: ${message} It is imported there once more: keep what starts the application out of it.`;
}

/** Node's codes for TypeScript without a loader, and for the imports of "./name.js" in it, which only a loader finds. */
const cannotLoad = /^ERR_(?:UNKNOWN_FILE_EXTENSION|UNSUPPORTED_TYPESCRIPT_SYNTAX|INVALID_TYPESCRIPT_SYNTAX|MODULE_NOT_FOUND)$/;
