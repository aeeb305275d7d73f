export { afterWaitingInput, type Cancel, isLate, startDeadline } from "./late-deadline.js";
export { inTurns, type Steps } from "./turns.js";
export { withinTime } from "./within-time.js";
