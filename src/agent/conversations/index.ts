export { type ConversationStore, ConversationStoreError, checkStored, type StoredConversation } from "./conversation-store.js";
export { FileConversationStore } from "./file-store.js";
export { MemoryConversationStore } from "./memory-store.js";
