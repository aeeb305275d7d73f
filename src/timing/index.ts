export { afterWaitingInput, type Cancel, isLate, startDeadline } from "./late-deadline.js";
