import { type ConversationStore, checkId, refuseConflict, type StoredConversation } from "./conversation-store.js";

/** Keeps copies of conversations in this process, for tests and trials. See docs/03-agents.md. */
export class MemoryConversationStore implements ConversationStore {
  /** JSON text by id: what couldn't be kept elsewhere isn't kept here either. */
  readonly #conversations = new Map<string, string>();

  load(id: string): StoredConversation | undefined {
    const text = this.#conversations.get(checkId(id));
    // Written by `save`.
    return text === undefined ? undefined : (JSON.parse(text) as StoredConversation);
  }

  save(id: string, conversation: StoredConversation): void {
    refuseConflict(id, conversation, this.load(id));
    this.#conversations.set(id, JSON.stringify(conversation));
  }

  delete(id: string): void {
    this.#conversations.delete(checkId(id));
  }
}
