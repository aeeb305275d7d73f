import { isObject } from "../schema/internal.js";
import type { ToolListener } from "../tool/index.js";
import type { RunScope } from "./run-scope.js";

// From JavaScript, or from a configuration, values may be what their types exclude.

/** Throws `TypeError` for what would fail far from here, or hold for nothing. */
export function checkRun({ toolContext, abortSignal }: Pick<Partial<RunScope>, "toolContext" | "abortSignal">): void {
  if (toolContext !== undefined && !isBag(toolContext)) {
    throw new TypeError(
      "The option toolContext must be an object, whose members tools find in their context: { toolContext: { userId } }.",
    );
  }
  // Signals of other realms and of polyfills are signals too.
  if (abortSignal !== undefined && typeof (abortSignal as AbortSignal | null)?.aborted !== "boolean") {
    throw new TypeError(
      "The option abortSignal is no AbortSignal. Of an AbortController give its signal: { abortSignal: controller.signal }.",
    );
  }
}

/** Throws `TypeError` for what is no list of listeners. */
export function checkListeners(listeners: readonly ToolListener[] | undefined): void {
  if (listeners === undefined || (Array.isArray(listeners) && listeners.every(isObject))) return;
  throw new TypeError("The option listeners must be a list of objects with methods such as toolFinished: { listeners: [listener] }.");
}

/** An error, or the answer of a request that failed, would be a bag without a user. */
const isBag = (value: unknown): boolean =>
  isObject(value) && !Array.isArray(value) && !(value instanceof Error) && !(value instanceof Promise);
