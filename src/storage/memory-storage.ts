import { putEntryFilesBack, takeEntryFilesApart } from "./apart-files.js";
import { type DecisionClaims, MemoryDecisionClaims } from "./decision-claims.js";
import {
  type JournalAppend,
  type JournalEntry,
  type JournalHead,
  type JournalQuery,
  type JournalStore,
  isPast,
  leaseKeyOf,
  missingEntries,
} from "./journal-store.js";
import { type Lease, LeaseLostError } from "./lease-store.js";
import { MemoryConversationStore } from "./memory-conversation-store.js";
import { MemoryLeaseStore } from "./memory-lease-store.js";
import type { Storage, StorageOptions } from "./storage.js";
import { checkStorageOptions } from "./storage-options.js";

/** Keeps everything in this process, for tests and trials: nothing survives it. See docs/18-storage.md. */
export class MemoryStorage implements Storage {
  readonly leaseDuration: number | undefined;
  readonly leases: MemoryLeaseStore = new MemoryLeaseStore();
  readonly conversations: Storage["conversations"];
  readonly journals: JournalStore = new MemoryJournalStore(this.leases);
  readonly claims: DecisionClaims = new MemoryDecisionClaims();

  constructor(options: StorageOptions = {}) {
    checkStorageOptions("MemoryStorage", options, ["leaseDuration"]);
    this.leaseDuration = options.leaseDuration;
    const { leases, leaseDuration } = this;
    this.conversations = Object.assign(new MemoryConversationStore(), { leases, leaseDuration });
  }
}

interface MemoryJournal {
  head: JournalHead;
  /** JSON texts: what couldn't be kept elsewhere isn't kept here either. */
  readonly entries: string[];
}

class MemoryJournalStore implements JournalStore {
  readonly #leases: MemoryLeaseStore;
  readonly #journals = new Map<string, MemoryJournal>();
  /** The images and files of entries by their digests, with the runs that have them. */
  readonly #files = new Map<string, { readonly data: string; readonly runs: Set<string> }>();

  constructor(leases: MemoryLeaseStore) {
    this.#leases = leases;
  }

  append(append: JournalAppend, lease: Lease): void {
    const { runId, agent, status, position } = append;
    if (!this.#leases.isNewest({ key: leaseKeyOf(runId), fence: lease.fence })) throw new LeaseLostError(lease.key);
    const kept = this.#journals.get(runId)?.entries ?? [];
    const entries = missingEntries(append, kept.length, this.read(runId, position));
    if (isPast(append, kept.length)) return;
    const apart = entries.map(takeEntryFilesApart);
    for (const { text, files } of apart) {
      kept.push(text);
      for (const [digest, data] of files) this.#keep(digest, data, runId);
    }
    // Set anew, so that the map is in the order of the last change.
    this.#journals.delete(runId);
    this.#journals.set(runId, { head: { runId, agent, status, length: kept.length, updatedAt: new Date().toISOString() }, entries: kept });
  }

  read(runId: string, from = 0): readonly JournalEntry[] {
    const entries = this.#journals.get(runId)?.entries ?? [];
    const source = `The journal of run "${runId}"`;
    const fileOf = (digest: string): string | undefined => this.#files.get(digest)?.data;
    // Written by `append`.
    return entries.slice(from).map((text) => putEntryFilesBack(text, source, fileOf) as JournalEntry);
  }

  #keep(digest: string, data: string, runId: string): void {
    const file = this.#files.get(digest) ?? { data, runs: new Set() };
    file.runs.add(runId);
    this.#files.set(digest, file);
  }

  list({ status, unleased = false, limit = Number.POSITIVE_INFINITY }: JournalQuery = {}): readonly JournalHead[] {
    const heads: JournalHead[] = [];
    for (const { head } of this.#journals.values()) {
      if (heads.length >= limit) break;
      if (status !== undefined && head.status !== status) continue;
      if (!unleased || this.#leases.holderOf(leaseKeyOf(head.runId)) === undefined) heads.push(head);
    }
    return heads;
  }

  head(runId: string): JournalHead | undefined {
    return this.#journals.get(runId)?.head;
  }

  delete(runId: string): void {
    this.#journals.delete(runId);
    for (const [digest, { runs }] of this.#files) if (runs.delete(runId) && runs.size === 0) this.#files.delete(digest);
  }
}
