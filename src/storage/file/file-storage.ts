import { resolve } from "node:path";
import type { DecisionClaims } from "../decision-claims.js";
import { FileConversationStore } from "../file-conversation-store.js";
import type { JournalStore } from "../journal-store.js";
import type { LeaseStore } from "../lease-store.js";
import type { Storage, StorageOptions } from "../storage.js";
import { checkStorageOptions } from "../storage-options.js";
import { conversationsIn } from "./layout.js";
import { joinDirectory, leaveDirectory, type OpenDirectory } from "./shared-directories.js";
import { Turns } from "./turns.js";

/**
 * Keeps everything as files in a directory, for one process: `new FileStorage("./data")`. What it has stored survives a crash of the
 * process and of the machine.
 *
 * The first use locks the directory, until `close()` or the end of the process. Until then another process gets a `StorageInUseError`.
 * Several objects in one process share it. See docs/18-storage.md.
 */
export class FileStorage implements Storage {
  readonly leaseDuration: number | undefined;
  readonly conversations: Storage["conversations"];
  readonly journals: JournalStore;
  readonly leases: LeaseStore;
  readonly claims: DecisionClaims;
  readonly #directory: string;
  /** Writes of conversations, which `close` waits for. */
  readonly #saves = new Turns();
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
    this.leases = {
      acquire: async (key, owner, duration) => (await open()).leases.acquire(key, owner, duration),
      renew: async (lease, duration) => (await open()).leases.renew(lease, duration),
      release: async (lease) => (await open()).leases.release(lease),
    };
    const write = (id: string, work: () => Promise<void>): Promise<void> => {
      // Now, because `close()` may be called before its turn comes.
      const opening = open();
      return this.#saves.take(id, async () => {
        await (await opening).lock.check();
        await work();
      });
    };
    const conversations = new FileConversationStore(conversationsIn(this.#directory));
    this.conversations = {
      load: async (id) => {
        await open();
        return conversations.load(id);
      },
      save: (id, conversation) => write(id, () => conversations.save(id, conversation)),
      delete: (id) => write(id, () => conversations.delete(id)),
      leases: this.leases,
      leaseDuration: this.leaseDuration,
    };
    this.journals = {
      append: async (append, lease) => (await open()).journals.append(append, lease),
      read: async (runId, from) => (await open()).journals.read(runId, from),
      list: async (query) => (await open()).journals.list(query),
      head: async (runId) => (await open()).journals.head(runId),
      delete: async (runId) => (await open()).journals.delete(runId),
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
    await this.#saves.idle();
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
