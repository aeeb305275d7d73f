export type { HistoryLimits } from "./history-limits.js";
export { trimHistory } from "./trim-history.js";
export type { MessageListener } from "./conversation.js";
