import { isStoredPrefix } from "./stored-prefix.js";
import type { LeaseStore } from "./lease-store.js";

/** A message as a store keeps it: plain JSON that a store needn't understand. */
export interface StoredMessage {
  readonly role: string;
  readonly content: unknown;
}

/** A conversation as plain JSON, for a `ConversationStore`. See docs/03-agents.md. */
export interface StoredConversation {
  /** The version of this format. */
  readonly version: 1;
  /** How often the conversation was saved, this time included: 1 for a new one. Default: 1, as for what version 0.1.0 stored. */
  readonly revision?: number;
  /** Who saved it: a random id of the agent instance, which finds out by it whether a save that failed has arrived. */
  readonly writer?: string;
  /** The history, without the instructions. */
  readonly messages: readonly StoredMessage[];
  /** The run to resume, if there is one. */
  readonly state?: object;
  /** What the first request of the conversation offered to the model, and what changed since. Left out before it. */
  readonly prefix?: object;
  /** Paused runs that can't be resumed any more, because the conversation continued. */
  readonly givenUp?: readonly GivenUpRun[];
}

/** A run that can't be resumed any more. */
export interface GivenUpRun {
  /** The id of the run. */
  readonly runId: string;
  /** When its last confirmation expires, ISO 8601. */
  readonly until: string;
}

/**
 * The store of `agent.save(store, id)` and `agent.load(store, id)`: two methods over any database.
 *
 * ```ts
 * const store: ConversationStore = {
 *   load: (id) => database.find(id),
 *   save: async (id, conversation) => {
 *     const { revision = 1 } = conversation;
 *     // INSERT ... ON CONFLICT DO NOTHING, or UPDATE ... WHERE id = $1 AND revision = $2 - 1
 *     const isSaved = revision === 1 ? await database.insert(id, conversation) : await database.update(id, conversation, revision - 1);
 *     if (!isSaved) throw new ConversationConflictError(id, { loaded: revision - 1, stored: await database.revisionOf(id) });
 *   },
 * };
 * ```
 *
 * `storageTests` of `toolwright/testing` tests it with the rest of a storage. See docs/18-storage.md.
 */
export interface ConversationStore {
  /** Returns the conversation, with its revision, or `undefined` if there is none with this id. */
  load(id: string): StoredConversation | undefined | Promise<StoredConversation | undefined>;
  /**
   * Stores the conversation if it follows the stored one: its revision is one higher, or 1 if none is stored. Otherwise throws
   * `ConversationConflictError` and changes nothing. Compare and write in one statement or transaction: two requests may save at once.
   */
  save(id: string, conversation: StoredConversation): void | Promise<void>;
  /** Removes the conversation. Does nothing if there is none. */
  delete?(id: string): void | Promise<void>;
  /** Leases of the same storage. With them, web handlers in several processes answer the messages of a conversation one after another. */
  readonly leases?: LeaseStore | undefined;
  /** Milliseconds after which a lease that isn't renewed can be taken over. Default: 30,000. */
  readonly leaseDuration?: number | undefined;
}

/**
 * The stored conversation isn't the one that was loaded: another request or process has saved or removed it meanwhile. Nothing was
 * stored. See docs/errors.md.
 */
export class ConversationConflictError extends Error {
  override readonly name = "ConversationConflictError";
  /** The id of the conversation. */
  readonly id: string;
  /** The revision that was loaded, or saved before; 0 if there was none. */
  readonly loaded: number;
  /** The revision that is stored; 0 if there is none. */
  readonly stored: number;

  constructor(id: string, { loaded, stored }: { readonly loaded: number; readonly stored: number }) {
    super(`The conversation "${id}" wasn't saved: ${reasonOf(loaded, stored)} Load it again, and repeat the turn.`);
    this.id = id;
    this.loaded = loaded;
    this.stored = stored;
  }
}

function reasonOf(loaded: number, stored: number): string {
  if (loaded === 0) return `it wasn't loaded (revision 0), and revision ${stored} is stored.`;
  if (stored === 0) return `revision ${loaded} was loaded, and none is stored any more (revision 0).`;
  return `revision ${loaded} was loaded, and revision ${stored} is stored: another request or process has saved it.`;
}

/** A store returned something that isn't a conversation, or is of a newer version. It was left unchanged. See docs/errors.md. */
export class ConversationStoreError extends Error {
  override readonly name = "ConversationStoreError";
  /** `broken`: not a conversation. `version`: of another version of the format. */
  readonly reason: "broken" | "version";

  constructor(reason: ConversationStoreError["reason"], message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}

/** Throws `ConversationStoreError` for what isn't a stored conversation. `source` names it in errors: `conversation "42"`. */
export function checkStored(value: unknown, source: string): StoredConversation {
  const { version, revision = 1, messages, givenUp = [], prefix } = (value ?? {}) as Partial<Record<keyof StoredConversation, unknown>>;
  if (version !== undefined && version !== 1) {
    throw new ConversationStoreError(
      "version",
      `The ${source} has version ${String(version)}, and this version of Toolwright reads version 1. Read it with the version that wrote it.`,
    );
  }
  const hasPrefix = prefix === undefined || isStoredPrefix(prefix);
  if (version === 1 && isRevision(revision) && Array.isArray(messages) && Array.isArray(givenUp) && hasPrefix) {
    return value as StoredConversation;
  }
  throw new ConversationStoreError(
    "broken",
    `The ${source} isn't a stored conversation: { version: 1, messages: [...] }. It was left as it is; repair it, or save under another id.`,
  );
}

/** The revision of a conversation that is to be saved. Throws `TypeError` for what is none. */
export function checkRevision({ revision = 1 }: StoredConversation): number {
  if (isRevision(revision)) return revision;
  throw new TypeError(`The revision of a conversation must be a whole number from 1 on, got ${String(revision)}.`);
}

const isRevision = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1;

/** Throws `ConversationConflictError` if the conversation doesn't follow the stored one. */
export function refuseConflict(id: string, conversation: StoredConversation, stored: StoredConversation | undefined): void {
  const loaded = checkRevision(conversation) - 1;
  const current = stored === undefined ? 0 : (stored.revision ?? 1);
  if (loaded !== current) throw new ConversationConflictError(id, { loaded, stored: current });
}

/** Ids come from outside: with an empty one, all users would share a conversation. */
export function checkId(id: unknown): string {
  if (typeof id === "string" && id !== "") return id;
  throw new TypeError(`The id of a conversation must be a string that isn't empty, got ${id === "" ? "an empty one" : typeof id}.`);
}
