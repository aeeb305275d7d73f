import { resolve } from "node:path";
import type { ConversationStore } from "../conversation-store.js";
import type { DecisionClaims } from "../decision-claims.js";
import { FileConversationStore } from "../file-conversation-store.js";
import type { JournalStore } from "../journal-store.js";
import type { LeaseStore } from "../lease-store.js";
import type { Storage, StorageOptions } from "../storage.js";
import { checkStorageOptions } from "../storage-options.js";
import { conversationsIn } from "./layout.js";
import { joinDirectory, leaveDirectory, type OpenDirectory } from "./shared-directories.js";

/**
 * Keeps everything as files in a directory, for one process: `new FileStorage("./data")`. What it has stored survives a crash of the
 * process and of the machine.
 *
 * The first use locks the directory, until `close()` or the end of the process. Until then another process gets a `StorageInUseError`.
 * Several objects in one process share it. See docs/18-storage.md.
 */
export class FileStorage implements Storage {
  readonly leaseDuration: number | undefined;
  readonly conversations: ConversationStore;
  readonly journals: JournalStore;
  readonly leases: LeaseStore;
  readonly claims: DecisionClaims;
  readonly #directory: string;
  #opened: Promise<OpenDirectory> | undefined;

  /** `directory` is created if necessary. */
  constructor(directory: string, options: StorageOptions = {}) {
    if (typeof directory !== "string" || directory === "") {
      throw new TypeError('FileStorage: takes a directory, such as new FileStorage("./data").');
    }
    checkStorageOptions("FileStorage", options, ["leaseDuration"]);
    // A later change of the working directory doesn't matter.
    this.#directory = resolve(directory);
    this.leaseDuration = options.leaseDuration;

    const open = () => this.#open();
    const conversations = new FileConversationStore(conversationsIn(this.#directory));
    this.conversations = {
      load: async (id) => {
        await open();
        return conversations.load(id);
      },
      save: async (id, conversation) => {
        await (await open()).lock.check();
        await conversations.save(id, conversation);
      },
    };
    this.journals = {
      append: async (append, lease) => (await open()).journals.append(append, lease),
      read: async (runId, from) => (await open()).journals.read(runId, from),
      list: async (query) => (await open()).journals.list(query),
      head: async (runId) => (await open()).journals.head(runId),
      delete: async (runId) => (await open()).journals.delete(runId),
    };
    this.leases = {
      acquire: async (key, owner, duration) => (await open()).leases.acquire(key, owner, duration),
      renew: async (lease, duration) => (await open()).leases.renew(lease, duration),
      release: async (lease) => (await open()).leases.release(lease),
    };
    this.claims = {
      claim: async (ids, expiresAt) => (await open()).claims.claim(ids, expiresAt),
      has: async (id) => (await open()).claims.has(id),
    };
  }

  /** Waits for what is being written, and gives the directory to other processes. The next use locks it again. */
  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened !== undefined) await opened.then(leaveDirectory, () => undefined);
  }

  #open(): Promise<OpenDirectory> {
    this.#opened ??= joinDirectory(this.#directory).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}
