import { printableStack } from "./printable.js";
import { redactText } from "./redact.js";

/** An error for the application's own log: with its stack, which finds the place, without secrets, and printable. Never throws. */
export const loggedError = (error: unknown): string => printableStack(redactText(textOf(error)));

function textOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack ?? error.message) : String(error);
  } catch {
    return "an error that can't be read";
  }
}
