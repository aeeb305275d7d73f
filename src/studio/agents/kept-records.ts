import { type JournalAppend, MemoryStorage } from "../../storage/index.js";
import { leaseKeyOf } from "../../storage/internal.js";

/** The record of a run as JSON. */
export type KeptRecord = Omit<JournalAppend, "position">;

/** The records of the runs of a chat, and of their sub-agents' runs: their ids begin with the chat's. */
export async function recordsOf(chat: string, { journals }: MemoryStorage): Promise<readonly KeptRecord[]> {
  const heads = (await journals.list()).filter(({ runId }) => runId.startsWith(`${chat}/`));
  return Promise.all(heads.map(async ({ runId, agent, status }) => ({ runId, agent, status, entries: await journals.read(runId) })));
}

/** A storage with these records. */
export async function storageWith(records: readonly KeptRecord[]): Promise<MemoryStorage> {
  const storage = new MemoryStorage();
  const { journals, leases } = storage;
  for (const record of records) {
    const lease = await leases.acquire(leaseKeyOf(record.runId), "the studio before", 60_000);
    await journals.append({ ...record, position: 0 }, lease);
    await leases.release(lease);
  }
  return storage;
}
