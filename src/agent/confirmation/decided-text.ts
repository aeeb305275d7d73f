import { redactText } from "../../tool/index.js";

/** What the model reads of a call that a person refused. */
export const deniedText = (reason: string | undefined): string =>
  `Not run: a person was asked and denied this call.${reason === undefined ? "" : ` The reason: ${reason}`} Don't call it again in the same way.`;

/** What the model reads before the result of a call whose arguments a person changed. */
export const editedNote = (edited: Readonly<Record<string, unknown>>): string =>
  `A person changed the arguments to ${redactText(JSON.stringify(edited))} before approving this call.\n`;
