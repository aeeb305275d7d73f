// What other rooms build on, and no application needs.
export { sealState, openState } from "./run-state.js";
export { withoutPartialAnswer } from "./reopen.js";
export { entryOf, entryVersion, type RunEntry } from "./run-entry.js";
export { openCalls, startableCalls } from "./transitions.js";
export { messagesIn, replay } from "./replay.js";
export { readRun, type RecordedRun } from "./read-run.js";
