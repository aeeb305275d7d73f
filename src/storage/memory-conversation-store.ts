import { type ApartFiles, putFilesBack, takeFilesApart } from "./apart-files.js";
import { type ConversationStore, checkId, refuseConflict, type StoredConversation } from "./conversation-store.js";

/** Keeps copies of conversations in this process, for tests and trials. See docs/03-agents.md. */
export class MemoryConversationStore implements ConversationStore {
  /** JSON text by id: what couldn't be kept elsewhere isn't kept here either. Files are texts, which no save copies. */
  readonly #conversations = new Map<string, ApartFiles>();

  load(id: string): StoredConversation | undefined {
    const stored = this.#conversations.get(checkId(id));
    // Written by `save`.
    return stored && (putFilesBack(stored.text, `conversation "${id}"`, (digest) => stored.files.get(digest)) as StoredConversation);
  }

  save(id: string, conversation: StoredConversation): void {
    refuseConflict(id, conversation, this.load(id));
    this.#conversations.set(id, takeFilesApart(conversation));
  }

  delete(id: string): void {
    this.#conversations.delete(checkId(id));
  }
}
