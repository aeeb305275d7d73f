import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ConversationStore, ConversationStoreError, checkId, checkStored, type StoredConversation } from "./conversation-store.js";

/**
 * Keeps each conversation as a JSON file in a directory, which is created if necessary. Any text is a safe id.
 *
 * ```ts
 * const store = new FileConversationStore("./conversations");
 * await agent.save(store, "user-42");
 * ```
 *
 * Files are replaced as a whole: if a save fails or the process ends, the previous file stays. See docs/03-agents.md.
 */
export class FileConversationStore implements ConversationStore {
  readonly #directory: string;

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
    const temporary = `${file}.${randomUUID()}.tmp`;
    try {
      // Conversations are private: for the owner of the process alone.
      await writeFile(temporary, text, { mode: 0o600, flush: true });
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  /**
   * The hash makes the name: ids are untrusted, may be long, differ only by case or by characters that a file system
   * takes for the same. What is left of the id is for people who look into the directory.
   */
  #fileOf(id: string): string {
    // JSON text keeps lone surrogates apart, which UTF-8 would all write alike.
    const hash = createHash("sha256")
      .update(JSON.stringify(checkId(id)))
      .digest("hex");
    const words = id
      .slice(0, 40)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-");
    return join(this.#directory, `${words}-${hash}.json`);
  }
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
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
