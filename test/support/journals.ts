import { type JournalAppend, type JournalEntry, MemoryStorage, type Storage } from "../../src/storage/index.js";
import { leaseKeyOf } from "../../src/storage/internal.js";

/** A storage whose appends a test can see, delay or refuse. */
export function watchedStorage(before: (append: JournalAppend) => void | Promise<void> = () => undefined): {
  readonly storage: Storage;
  readonly memory: MemoryStorage;
  /** What was added at once, in order. */
  readonly appends: JournalAppend[];
} {
  const memory = new MemoryStorage();
  const { conversations, leases, claims, journals } = memory;
  const appends: JournalAppend[] = [];
  const watched: Storage["journals"] = {
    append: async (append, lease) => {
      const copy = structuredClone(append);
      await before(append);
      await journals.append(append, lease);
      appends.push(copy);
    },
    read: (runId, from) => journals.read(runId, from),
    list: (query) => journals.list(query),
    head: (runId) => journals.head(runId),
    delete: (runId) => journals.delete(runId),
  };
  return { storage: { conversations, leases, claims, journals: watched }, memory, appends };
}

/** What memory holds after the process ended behind the first appends of a run. */
export const afterCrash = (appends: readonly JournalAppend[], count: number): Promise<MemoryStorage> =>
  holding(new MemoryStorage(), appends.slice(0, count));

/** Writes what a process that ended had appended. Returns the storage. */
export async function holding<Form extends Storage>(storage: Form, appends: readonly JournalAppend[]): Promise<Form> {
  for (const append of appends) {
    const lease = await storage.leases.acquire(leaseKeyOf(append.runId), "the process that ended", 60_000);
    await storage.journals.append(append, lease);
    await storage.leases.release(lease);
  }
  return storage;
}

export const kindsOf = ({ entries }: JournalAppend): readonly string[] => entries.map(({ kind }: JournalEntry) => kind);
