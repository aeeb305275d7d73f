import { printableStack } from "./printable.js";
import { redactText } from "./redact.js";

/** Longer warnings are cut: a stranger may have written a part of them. Secrets are taken out before, so that none is cut in two. */
const longestWarning = 8_000;
const longestRead = 100_000;

/**
 * Warns the application on its process (`process.on("warning")`, by default stderr): without known secrets, cut, and with every
 * character escaped that would begin another line or steer a terminal. All warnings of the library go through here.
 */
export function warnProcess(message: string, type = "ToolwrightWarning"): void {
  const text = redactText(message.slice(0, longestRead));
  process.emitWarning(printableStack(text.length > longestWarning ? `${text.slice(0, longestWarning)}...` : text), type);
}
