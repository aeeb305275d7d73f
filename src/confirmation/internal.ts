// What other rooms build on, and no application needs.
export { askHandlers } from "./ask-handlers.js";
export { answerValue, invalidAnswer } from "./answer-value.js";
export { shownInCard } from "./handlers/card/confirmation-card.js";
export { isQuestion } from "./question.js";
export { checkDecision, checkKind, invalidEdit } from "./decision-form.js";
export { refuseLate } from "./refuse-late.js";
export { declinedText, deniedText, editedNote } from "./decided-text.js";
export { longestDecider, unknownMemberOf } from "./decision.js";
export {
  askedAnswer,
  confirmationAfterCrash,
  useOf,
  idInCall,
  confirmationOf,
  fingerprintOf,
  isExpired,
  decidedAbout,
} from "./fingerprint.js";
