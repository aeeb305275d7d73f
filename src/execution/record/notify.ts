import { redact } from "../../redaction/index.js";
import type { ToolListener } from "../../tool/index.js";
import { loggedError, redactMalformed, warnProcess } from "../../redaction/internal.js";
import { normalise } from "../result/normalise.js";

/** Tells every listener of an event. One that fails becomes a process warning and disturbs nothing. */
export function notify<Name extends keyof ToolListener>(
  listeners: readonly ToolListener[],
  name: Name,
  event: Parameters<NonNullable<ToolListener[Name]>>[0],
): void {
  for (const listener of listeners) {
    try {
      // The compiler can't see that the listener of `name` takes the event of `name`.
      const outcome = (listener[name] as ((event: unknown) => unknown) | undefined)?.(event);
      if (outcome instanceof Promise) outcome.catch((error: unknown) => warnOfListener(name, error));
    } catch (error) {
      warnOfListener(name, error);
    }
  }
}

export function warnOfListener(name: string, error: unknown): void {
  warnProcess(`A tool listener's ${name} failed: ${loggedError(error)}`, "ToolListenerWarning");
}

/** The arguments as they may be logged. They were refused, so they may be anything: no JSON, or an object that contains itself. */
export function redactedArguments(value: unknown): unknown {
  if (typeof value !== "string") return redact(normalise(value));
  try {
    return redact(JSON.parse(value));
  } catch {
    return redactMalformed(value);
  }
}
