import type { GenerateOptions } from "./options.js";

/**
 * From JavaScript, or from a configuration, options may be what their types exclude. Throws `TypeError` for those that
 * would fail far from here, or hold for nothing.
 */
export function checkOptions({ abortSignal, listeners, confirm, stateSecret }: GenerateOptions): void {
  // Signals of other realms and of polyfills are signals too.
  if (abortSignal !== undefined && typeof (abortSignal as AbortSignal | null)?.aborted !== "boolean") {
    throw new TypeError(
      "The option abortSignal is no AbortSignal. Of an AbortController give its signal: { abortSignal: controller.signal }.",
    );
  }
  if (listeners !== undefined && !(Array.isArray(listeners) && listeners.every(isObject))) {
    throw new TypeError("The option listeners must be a list of objects with methods such as toolFinished: { listeners: [listener] }.");
  }
  if (confirm !== undefined && ![confirm].flat().every((handler) => typeof handler === "function")) {
    throw new TypeError("The option confirm must be a function that gives a decision, such as confirmInTerminal(), or a list of them.");
  }
  if (stateSecret !== undefined && (typeof stateSecret !== "string" || stateSecret === "")) {
    throw new TypeError("The option stateSecret must be a text that nobody can guess; an empty one would sign nothing.");
  }
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;
