import type { JournalAppend, JournalStore, Storage } from "../storage/index.js";

/** The storage of a runtime. It calls `written` after each append of this process. */
export function observedStorage(storage: Storage, written: (append: JournalAppend) => void): Storage {
  const { journals } = storage;
  const observed: JournalStore = {
    async append(append, lease) {
      await journals.append(append, lease);
      written(append);
    },
    read: (runId, from) => journals.read(runId, from),
    list: (query) => journals.list(query),
    head: (runId) => journals.head(runId),
    delete: (runId) => journals.delete(runId),
  };
  const { conversations, leases, claims, leaseDuration } = storage;
  return { conversations, journals: observed, leases, claims, leaseDuration };
}
