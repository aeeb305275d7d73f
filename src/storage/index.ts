export {
  type ConversationStore,
  ConversationStoreError,
  type StoredConversation,
  type StoredMessage,
} from "./conversation-store.js";
export { type DecisionClaims, MemoryDecisionClaims } from "./decision-claims.js";
export { FileDecisionClaims } from "./file-decision-claims.js";
export { FileConversationStore } from "./file-conversation-store.js";
export { MemoryConversationStore } from "./memory-conversation-store.js";
