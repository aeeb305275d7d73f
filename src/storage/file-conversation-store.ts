import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type ConversationStore, ConversationStoreError, checkId, checkStored, type StoredConversation } from "./conversation-store.js";
import { fileNameOf, readText, removeLeftovers, replaceFile } from "./file/durable-files.js";

/** A writer that lives renames its file within this time. Milliseconds. */
const oldestWrite = 3_600_000;

/**
 * Keeps each conversation as a JSON file in a directory, which is created if necessary. Any text is a safe id.
 *
 * ```ts
 * const store = new FileConversationStore("./conversations");
 * await agent.save(store, "user-42");
 * ```
 *
 * Files are replaced as a whole: if a save fails or the process ends, the previous file stays. Temporary files of killed processes are
 * removed an hour later. See docs/03-agents.md.
 */
export class FileConversationStore implements ConversationStore {
  readonly #directory: string;
  #cleaned: Promise<void> | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Returns the conversation, or `undefined`. Throws `ConversationStoreError` with the name of the file if it isn't a conversation. */
  async load(id: string): Promise<StoredConversation | undefined> {
    const file = this.#fileOf(id);
    const text = await readText(file);
    return text === undefined ? undefined : checkStored(parse(text, file), `file ${file}`);
  }

  /** Replaces the file of this conversation. */
  async save(id: string, conversation: StoredConversation): Promise<void> {
    const file = this.#fileOf(id);
    const text = JSON.stringify(conversation);
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    this.#cleaned ??= removeLeftovers(this.#directory, oldestWrite);
    await this.#cleaned;
    await replaceFile(file, text);
  }

  #fileOf(id: string): string {
    return join(this.#directory, fileNameOf(checkId(id), ".json"));
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConversationStoreError(
      "broken",
      `The file ${file} is not valid JSON: ${(error as Error).message}. It was left as it is; repair it, or save under another id.`,
      { cause: error },
    );
  }
}
