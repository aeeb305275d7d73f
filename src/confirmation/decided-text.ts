import { redactText } from "../redaction/index.js";

/** What the model reads of a call that a person refused. */
export const deniedText = (reason = ""): string =>
  `Not run: a person was asked and denied this call.${reason.trim() === "" ? "" : ` The reason: ${asSentence(reason.trim())}`} Don't call it again in the same way.`;

/** With a full stop, unless it ends as a sentence does: what follows would read as one sentence with it. */
const asSentence = (text: string): string => (/[.!?\u2026\u3002\uff01\uff1f]["'\u201d\u2019)\]]?$/.test(text) ? text : `${text}.`);

/** What the model reads before the result of a call whose arguments a person changed. */
export const editedNote = (edited: Readonly<Record<string, unknown>>): string =>
  `A person changed the arguments to ${redactText(JSON.stringify(edited))} before approving this call.\n`;
