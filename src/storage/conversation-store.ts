/** A message as a store keeps it: plain JSON that a store needn't understand. */
export interface StoredMessage {
  readonly role: string;
  readonly content: unknown;
}

/** A conversation as plain JSON, for a `ConversationStore`. See docs/03-agents.md. */
export interface StoredConversation {
  /** The version of this format. */
  readonly version: 1;
  /** The history, without the instructions. */
  readonly messages: readonly StoredMessage[];
  /** The run to resume, if there is one. */
  readonly state?: object;
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
 *   load: async (id) => (await database.find(id))?.conversation,
 *   save: (id, conversation) => database.upsert(id, { conversation }),
 * };
 * ```
 *
 * The last save wins. If two processes may save the same conversation, detect the conflict in `save`. See docs/03-agents.md.
 */
export interface ConversationStore {
  /** Returns the conversation, or `undefined` if there is none with this id. */
  load(id: string): StoredConversation | undefined | Promise<StoredConversation | undefined>;
  /** Replaces the conversation with this id. */
  save(id: string, conversation: StoredConversation): void | Promise<void>;
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

/** Throws `ConversationStoreError` for what is no stored conversation. `source` names it in errors: `conversation "42"`. */
export function checkStored(value: unknown, source: string): StoredConversation {
  const { version, messages, givenUp = [] } = (value ?? {}) as Partial<Record<keyof StoredConversation, unknown>>;
  if (version !== undefined && version !== 1) {
    throw new ConversationStoreError(
      "version",
      `The ${source} has version ${String(version)}, and this version of Toolwright reads version 1. Read it with the version that wrote it.`,
    );
  }
  if (version === 1 && Array.isArray(messages) && Array.isArray(givenUp)) return value as StoredConversation;
  throw new ConversationStoreError(
    "broken",
    `The ${source} is no stored conversation: { version: 1, messages: [...] }. It was left as it is; repair it, or save under another id.`,
  );
}

/** Ids come from outside: an empty one would be everybody's. */
export function checkId(id: unknown): string {
  if (typeof id === "string" && id !== "") return id;
  throw new TypeError(`The id of a conversation must be a text that isn't empty, got ${id === "" ? "an empty one" : typeof id}.`);
}
