export {
  type ConversationStore,
  ConversationStoreError,
  checkStored,
  type StoredConversation,
  type StoredMessage,
} from "./conversation-store.js";
export { FileConversationStore } from "./file-store.js";
export type { HistoryLimits } from "./history-limits.js";
export { HistoryWindow } from "./history-window.js";
export { MemoryConversationStore } from "./memory-store.js";
export { trimHistory } from "./trim-history.js";
