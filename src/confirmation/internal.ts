// What other rooms build on, and no application needs.
export { askHandlers } from "./ask-handlers.js";
export { checkDecision, invalidEdit } from "./check-decision.js";
export { refuseLate } from "./refuse-late.js";
export { deniedText, editedNote } from "./decided-text.js";
export { unknownMemberOf } from "./decision.js";
export { confirmationAfterCrash, useOf, idInCall, confirmationOf, fingerprintOf, isExpired, decidedAbout } from "./fingerprint.js";
