import type { ConversationStore } from "./conversation-store.js";
import type { DecisionClaims } from "./decision-claims.js";
import type { JournalStore } from "./journal-store.js";
import type { LeaseStore } from "./lease-store.js";

/**
 * The store of an application's conversations and runs. The parts belong together: a journal checks the fence of the leases in the same
 * transaction as each write.
 *
 * `MemoryStorage`, `FileStorage`, `SqliteStorage` and `PostgresStorage` come with the library. Your own is tested by `storageTests`
 * of `toolwright/testing`. See docs/18-storage.md.
 */
export interface Storage {
  /** Conversations by id. */
  readonly conversations: ConversationStore & Required<Pick<ConversationStore, "delete">>;
  /** The records of runs. */
  readonly journals: JournalStore;
  /** Who may carry on a run or a conversation. */
  readonly leases: LeaseStore;
  /** Decisions that were used. */
  readonly claims: DecisionClaims;
  /** Milliseconds after which a lease that isn't renewed can be taken over. Default: 30,000. */
  readonly leaseDuration?: number | undefined;
  /** Ends connections and timers. */
  close?(): void | Promise<void>;
}

/** Options of the forms of storage. */
export interface StorageOptions {
  /** Milliseconds after which a lease that isn't renewed can be taken over: how long a crashed run waits. Default: 30,000. */
  readonly leaseDuration?: number;
}
