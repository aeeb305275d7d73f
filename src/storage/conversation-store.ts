/** A message as a store keeps it: JSON that only the agent needs to understand. */
export interface StoredMessage {
  readonly role: string;
  readonly content: unknown;
}

/** A conversation as plain JSON. */
export interface StoredConversation {
  readonly version: 1;
  /** The history, without the instructions. */
  readonly messages: readonly StoredMessage[];
  /** The run to be resumed, where there is one. */
  readonly state?: object;
  /** The runs that waited when the conversation went on: they can't be resumed. */
  readonly givenUp?: readonly GivenUpRun[];
}

/** A run that can't be resumed any more. */
export interface GivenUpRun {
  readonly runId: string;
  /** ISO 8601: from then on nothing of it could be approved anyhow. */
  readonly until: string;
}

/**
 * Where conversations are kept: `agent.save(store, id)`, `agent.load(store, id)`. Two methods over any database:
 *
 * ```ts
 * const store: ConversationStore = {
 *   load: async (id) => (await database.find(id))?.conversation,
 *   save: (id, conversation) => database.upsert(id, { conversation }),
 * };
 * ```
 *
 * The last one saved is kept; whoever may write from two places at once decides between them in `save`.
 */
export interface ConversationStore {
  /** `undefined` where nothing was saved under the id. */
  load(id: string): StoredConversation | undefined | Promise<StoredConversation | undefined>;
  save(id: string, conversation: StoredConversation): void | Promise<void>;
}

/** What a store gave is no conversation that this version reads. It was left as it is. */
export class ConversationStoreError extends Error {
  override readonly name = "ConversationStoreError";
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
