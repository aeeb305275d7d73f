import { mkdir, realpath, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { sharedByCopies } from "../platform/index.js";
import {
  type ConversationStore,
  ConversationStoreError,
  checkId,
  checkStored,
  refuseConflict,
  type StoredConversation,
} from "./conversation-store.js";
import { digestsIn, putFilesBack, takeFilesApart } from "./apart-files.js";
import { FileFolder } from "./file/file-folder.js";
import { fileNameOf, orUndefined, readText, removeLeftovers, replaceFile, syncDirectory } from "./file/durable-files.js";
import { Turns } from "./file/turns.js";

/** A writer that lives renames its file within this time. Milliseconds. */
const oldestWrite = 3_600_000;

/** Another copy of the package takes turns with this one. */
const writing = (): Turns => sharedByCopies("savedConversations.1", () => new Turns());

/**
 * Keeps each conversation as a JSON file in a directory, which is created if necessary. Any text is a safe id.
 *
 * ```ts
 * const store = new FileConversationStore("./conversations");
 * await agent.save(store, "user-42");
 * ```
 *
 * Images and files of messages are stored once, beside the JSON. Files are replaced as a whole: if a save fails or the process ends, the previous file stays. Temporary files of killed processes are
 * removed an hour later. It is for one process: two that save one conversation at the same moment don't see each other. See
 * docs/03-agents.md.
 */
export class FileConversationStore implements ConversationStore {
  readonly #directory: string;
  readonly #turns = new Turns();
  #cleaned: Promise<void> | undefined;

  constructor(directory: string) {
    // A later change of the working directory doesn't matter.
    this.#directory = resolve(directory);
  }

  /** Returns the conversation, or `undefined`. Throws `ConversationStoreError` with the name of the file if it isn't a conversation. */
  async load(id: string): Promise<StoredConversation | undefined> {
    const file = this.#fileOf(id);
    const folder = this.#folderOf(id);
    for (let before: string | undefined; ; ) {
      const text = await readText(file);
      if (text === undefined) return undefined;
      const files = new Map<string, string | undefined>();
      for (const digest of digestsIn(text)) files.set(digest, await folder.read(digest));
      const isWhole = [...files.values()].every((data) => data !== undefined);
      // A save in between has removed what its conversation doesn't have any more.
      if (isWhole || text === before)
        return checkStored(
          parse(text, file, (digest) => files.get(digest)),
          `file ${file}`,
        );
      before = text;
    }
  }

  /** Replaces the file of this conversation. Throws `ConversationConflictError` if the file isn't the one that was loaded. */
  async save(id: string, conversation: StoredConversation): Promise<void> {
    const file = this.#fileOf(id);
    const folder = this.#folderOf(id);
    const { text, files } = takeFilesApart(conversation);
    // In the order of the calls, before anything is awaited that may take a different time for each.
    await this.#turns.take(id, async () => {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      this.#cleaned ??= removeLeftovers(this.#directory, oldestWrite);
      await this.#cleaned;
      await this.#alone(id, async () => {
        const stored = await readText(file);
        refuseConflict(id, conversation, stored === undefined ? undefined : checkStored(parse(stored, file), `file ${file}`));
        await folder.add(files);
        await replaceFile(file, text);
        await folder.keepOnly(files);
      });
    });
  }

  /** Removes the file of this conversation. */
  async delete(id: string): Promise<void> {
    const file = this.#fileOf(id);
    await this.#turns.take(id, async () => {
      if ((await orUndefined(realpath(this.#directory))) === undefined) return;
      await this.#alone(id, async () => {
        await rm(file, { force: true });
        await this.#folderOf(id).remove();
        await syncDirectory(this.#directory);
      });
    });
  }

  /** Does the work while nothing else in this process changes the file. */
  async #alone(id: string, work: () => Promise<void>): Promise<void> {
    // Two stores may know the directory by different paths.
    await writing().take(join(await realpath(this.#directory), fileNameOf(id, "")), work);
  }

  #folderOf(id: string): FileFolder {
    return new FileFolder(join(this.#directory, fileNameOf(checkId(id), ".files")));
  }

  #fileOf(id: string): string {
    return join(this.#directory, fileNameOf(checkId(id), ".json"));
  }
}

/** Without `fileOf`, what refers to files stays as it is. */
function parse(text: string, file: string, fileOf?: (digest: string) => string | undefined): unknown {
  try {
    return fileOf === undefined ? JSON.parse(text) : putFilesBack(text, `file ${file}`, fileOf);
  } catch (error) {
    if (error instanceof ConversationStoreError) throw error;
    throw new ConversationStoreError(
      "broken",
      `The file ${file} is not valid JSON: ${(error as Error).message}. It was left as it is; repair it, or save under another id.`,
      { cause: error },
    );
  }
}
