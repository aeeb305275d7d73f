// What other rooms build on, and no application needs.
export { leaveOut } from "./provider-tools/leave-out.js";
export { cutOffText, isCutOff, withheldText } from "./faulty-calls.js";
export { retrying } from "./retries.js";
export { turnsOf } from "./retry-turns.js";
export { refuseUnfinished } from "./unfinished-answer.js";
