export {
  ConversationConflictError,
  type ConversationStore,
  ConversationStoreError,
  type StoredConversation,
  type StoredMessage,
} from "./conversation-store.js";
export { type DecisionClaims, MemoryDecisionClaims } from "./decision-claims.js";
export { FileDecisionClaims } from "./file-decision-claims.js";
export { FileConversationStore } from "./file-conversation-store.js";
export { MemoryConversationStore } from "./memory-conversation-store.js";
export { FileStorage } from "./file/file-storage.js";
export type { PostgresAddress } from "./postgres/postgres-connection.js";
export type { PostgresClient, PostgresPool, PostgresQueryable } from "./postgres/postgres-pool.js";
export { PostgresStorage, type PostgresStorageOptions } from "./postgres/postgres-storage.js";
export { SqliteStorage } from "./sqlite/sqlite-storage.js";
export { MemoryStorage } from "./memory-storage.js";
export type { Storage, StorageOptions } from "./storage.js";
export { type Lease, LeaseHeldError, LeaseLostError, type LeaseStore } from "./lease-store.js";
export {
  type JournalAppend,
  type JournalEntry,
  JournalError,
  type JournalHead,
  type JournalQuery,
  type JournalStatus,
  type JournalStore,
} from "./journal-store.js";
export { StorageError, type StorageHolder, StorageInUseError } from "./storage-errors.js";
