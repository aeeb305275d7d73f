import { redactText } from "../redaction/index.js";
import { withoutHidden } from "../redaction/internal.js";

/** The most characters of a reason: it may come from a page, and stays in the history. */
const longestReason = 4_000;

/** What the model reads of a call that a person refused. `begun`: how often it had begun before, so that it may have taken effect. */
export function deniedText(reason = "", begun = 0): string {
  const denied =
    begun === 0
      ? "Not run: a person was asked and denied this call."
      : "It isn't known whether this call took effect: it had begun when the process that ran it ended. A person was asked and denied that it runs again.";
  return `${denied}${sentenceOf(reason)} Don't call it again in the same way.`;
}

/** What the model reads of a call that wasn't answered, because the person declined. */
export const declinedText = (reason = ""): string =>
  `Not answered: the person declined to answer.${sentenceOf(reason)} Go on without the answer.`;

/** A reason as the model reads it: without characters that people don't see. */
function sentenceOf(reason: string): string {
  const text = withoutHidden(reason).trim();
  return text === ""
    ? ""
    : ` The reason: ${asSentence(text.length > longestReason ? `${text.slice(0, longestReason)}...`.toWellFormed() : text)}`;
}

/** With a full stop, unless it ends as a sentence does: what follows would read as one sentence with it. */
const asSentence = (text: string): string => (/[.!?\u2026\u3002\uff01\uff1f]["'\u201d\u2019)\]]?$/.test(text) ? text : `${text}.`);

/** What the model reads before the result of a call whose arguments a person changed. */
export const editedNote = (edited: Readonly<Record<string, unknown>>): string =>
  `A person changed the arguments to ${redactText(JSON.stringify(edited))} before approving this call.\n`;
