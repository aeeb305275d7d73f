export type { Confirmation } from "./confirmation.js";
export type { ConfirmationHandler, ConfirmationSituation } from "./confirmation-handler.js";
export { type Answer, answer, approve, approveEdited, type Decided, type Decision, deny } from "./decision.js";
export type { Question } from "./question.js";
export * from "./handlers/index.js";
export { DecisionError } from "./decision-error.js";
