import { valueWithoutHidden } from "../redaction/internal.js";
import { DecisionError } from "./decision-error.js";

/**
 * An answer as a tool result may have it: a copy as JSON, without characters that people don't see. Throws `DecisionError` for a value that
 * JSON can't hold.
 */
export function answerValue(callId: string, value: unknown): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // It contains itself, or a BigInt.
  }
  if (text === undefined) throw invalidAnswer(callId, "it must be a JSON value");
  return valueWithoutHidden(JSON.parse(text) as unknown);
}

export const invalidAnswer = (callId: string, faults: string): DecisionError =>
  new DecisionError(
    "invalid_answer",
    `The answer to the call "${callId}" doesn't fit: ${faults}. The call waits on; correct it, and answer again.`,
  );
