export { afterWaitingInput, type Cancel, latenessOf, startDeadline } from "./late-deadline.js";
export { inTurns, type Steps } from "./turns.js";
export { withinTime } from "./within-time.js";
