// What other rooms build on, and no application needs.
export { bytesNote, plainName, sizeOfBase64, sizeText } from "./bytes-note.js";
export { escapeHtml } from "./escape-html.js";
export { loggedError } from "./logged-error.js";
export { mapTexts } from "./map-texts.js";
export { outsideText, outsideTextOf } from "./outside-text.js";
export { printable, printableLines } from "./printable.js";
export { redactMalformed } from "./redact.js";
export { redacted, longestSecret, hideSecretsIn, hiderOf } from "./secrets.js";
export { setOwn } from "./set-own.js";
export { checkSigningSecret } from "./signing-secret.js";
export { warnProcess } from "./warn.js";
export { hidesCharacters, withoutHidden } from "./without-hidden.js";
export { valueWithoutHidden } from "./value-without-hidden.js";
