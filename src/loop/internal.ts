// What other rooms build on, and no application needs.
export { sealState, openState } from "./run-state.js";
export { withoutPartialAnswer } from "./reopen.js";
export {
  type AcceptedEntry,
  type ConversationPlace,
  entryOf,
  entryVersion,
  type EventEntry,
  isEventEntry,
  type OfferEntry,
  type RunEntry,
  type Timed,
  type ToolNames,
} from "./run-entry.js";
export type { TakenDecision } from "./taken-decisions.js";
export { callAskedAbout, waitingCalls } from "./open-confirmations.js";
export { openCalls, startableCalls } from "./transitions.js";
export { messagesIn, replay } from "./replay.js";
export { type JournalContent, readJournal, type RecordedRun, RunReading } from "./read-run.js";
