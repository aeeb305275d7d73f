import { randomUuid } from "../platform/index.js";
import { ConversationConflictError, type ConversationStore, type StoredConversation } from "../storage/index.js";
import { checkStored } from "../storage/internal.js";

/** A conversation as the agent has it. Its revision is the business of what saves it. */
export type UnsavedConversation = Omit<StoredConversation, "revision" | "writer">;

/** One id of one store, as one agent instance knows it. */
interface Place {
  /** The revision that was loaded or saved last; 0 if none was. */
  revision: number;
  /** Stored with each revision, to know which are from here. */
  readonly writer: string;
  /** Ends when all saves that were asked for have ended. */
  idle: Promise<void>;
  /** The save that waits for the one before it. */
  next: { conversation: UnsavedConversation; readonly saved: Promise<void> } | undefined;
}

/**
 * The saves of one agent instance. Those to one place are written one after another, each with the revision that follows the one before.
 * While one is written, the others wait together, and the latest is stored for all of them.
 */
export class ConversationSaves {
  /** Made on use: most conversations are never stored. */
  #places: Map<ConversationStore, Map<string, Place>> | undefined;

  /** Loads a conversation, and hands it over. What is saved under this id later must follow it; other ids are forgotten. */
  async load(store: ConversationStore, id: string, handOver: (loaded: StoredConversation) => void): Promise<number> {
    // Its own saves come first: they would be missing.
    await this.#places?.get(store)?.get(id)?.idle;
    const loaded = await store.load(id);
    const conversation = loaded === undefined ? emptyConversation : checkStored(loaded, `conversation "${id}"`);
    handOver(conversation);
    const { revision = 1 } = conversation;
    this.#places = new Map([[store, new Map([[id, newPlace(revision)]])]]);
    return revision;
  }

  save(store: ConversationStore, id: string, conversation: UnsavedConversation): Promise<void> {
    const place = this.#placeOf(store, id);
    if (place.next !== undefined) {
      place.next.conversation = conversation;
      return place.next.saved;
    }
    const write = (): Promise<void> => {
      const latest = place.next?.conversation ?? conversation;
      place.next = undefined;
      return this.#write(store, id, place, latest);
    };
    const saved = place.idle.then(write);
    place.next = { conversation, saved };
    place.idle = saved.catch(() => undefined);
    return saved;
  }

  async #write(store: ConversationStore, id: string, place: Place, conversation: UnsavedConversation): Promise<void> {
    const { writer } = place;
    const { version, ...content } = conversation;
    const attempt = async (): Promise<void> => {
      const revision = place.revision + 1;
      await store.save(id, { version, revision, writer, ...content });
      place.revision = revision;
    };
    try {
      await attempt();
    } catch (error) {
      if (!(error instanceof ConversationConflictError) || !(await hasArrived(store, id, place))) throw error;
      place.revision += 1;
      await attempt();
    }
  }

  #placeOf(store: ConversationStore, id: string): Place {
    this.#places ??= new Map();
    const ids = this.#places.get(store) ?? new Map<string, Place>();
    const place = ids.get(id) ?? newPlace(0);
    this.#places.set(store, ids.set(id, place));
    return place;
  }
}

const newPlace = (revision: number): Place => ({ revision, writer: randomUuid(), idle: Promise.resolve(), next: undefined });

const emptyConversation = Object.freeze({ version: 1, revision: 0, messages: [] });

/** Whether the conflict is with a save of this instance that failed, because its confirmation was lost. */
async function hasArrived(store: ConversationStore, id: string, { revision, writer }: Place): Promise<boolean> {
  try {
    const stored = await store.load(id);
    return stored?.revision === revision + 1 && stored.writer === writer;
  } catch {
    return false;
  }
}
