import { deepStrictEqual } from "node:assert";
import { randomUuid } from "../../platform/index.js";
import type { JournalAppend, JournalEntry, Lease, Storage } from "../../storage/index.js";

/** One test of the suite. `needs`: only storages of this kind have to pass it. */
export interface Case {
  readonly title: string;
  readonly needs?: "persistent" | "shared";
  readonly check: (storage: StorageUnderTest) => Promise<void>;
}

/** Opens storages of one name, which no other test uses, and closes them. */
export class StorageUnderTest {
  readonly #make: (name: string) => Storage | Promise<Storage>;
  readonly #name = `test_${randomUuid().replaceAll("-", "").slice(0, 16)}`;
  readonly #opened: Storage[] = [];

  constructor(make: (name: string) => Storage | Promise<Storage>) {
    this.#make = make;
  }

  async open(): Promise<Storage> {
    const storage = await this.#make(this.#name);
    this.#opened.push(storage);
    return storage;
  }

  /** Closes all that are open, and opens one anew. */
  async reopen(): Promise<Storage> {
    await this.closeAll();
    return this.open();
  }

  async closeAll(): Promise<void> {
    for (const storage of this.#opened.splice(0)) await storage.close?.();
  }
}

/** Long enough for a slow machine. Milliseconds. */
export const minute = 60_000;

export const acquireRun = async ({ leases }: Storage, runId: string, owner = randomUuid(), duration = minute): Promise<Lease> =>
  leases.acquire(`run ${runId}`, owner, duration);

export interface TextEntry extends JournalEntry {
  readonly text: string;
}

export const entry = (text: string): TextEntry => ({ kind: "test", text });

/** An append of entries with these texts. */
export const appendOf = (runId: string, position: number, texts: readonly string[], more: Partial<JournalAppend> = {}): JournalAppend => ({
  runId,
  agent: "support_agent",
  status: "running",
  position,
  entries: texts.map(entry),
  ...more,
});

/** Makes a journal with these texts by a holder of its own, which gives the lease back. */
export async function write(storage: Storage, runId: string, texts: readonly string[], more: Partial<JournalAppend> = {}): Promise<void> {
  const lease = await acquireRun(storage, runId);
  await storage.journals.append(appendOf(runId, 0, texts, more), lease);
  await storage.leases.release(lease);
}

/** The texts of a journal's entries. */
export async function textsOf({ journals }: Storage, runId: string, from?: number): Promise<readonly unknown[]> {
  return (await journals.read(runId, from)).map((read) => (read as TextEntry).text);
}

export const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Takes a lease over as soon as it has expired. */
export async function takeOver(storage: Storage, key: string): Promise<Lease> {
  const owner = randomUuid();
  for (;;) {
    const lease = await storage.leases.acquire(key, owner, minute);
    if (lease.owner === owner) return lease;
    await pause(10);
  }
}

/** Texts that stores have changed or rejected. */
export const difficultTexts: readonly string[] = [
  "",
  "a\0b",
  "\ud800",
  "\udc00 alone",
  "🙂 é e\u0301",
  "line\nbreak\r\u2028\u2029",
  "'; DROP TABLE runs; --",
  "$1 ? :id %s \\",
  "__proto__",
  '"quoted"',
];

/** Ids that stores have mixed up. */
export const difficultIds: readonly string[] = [
  "a",
  "A",
  "a.",
  "a ",
  "../a",
  "/etc/passwd",
  "C:\\a",
  "CON",
  "é",
  "e\u0301",
  "\ud800",
  "\ud801",
  "a\0b",
  '"a"',
  "%",
  "__proto__",
  "x".repeat(5_000),
  "x".repeat(5_001),
];

/** Compares JSON values. What a database's driver makes may have another realm's classes, as in jest. */
export const deepEqual = (actual: unknown, expected: unknown): void => deepStrictEqual(jsonOf(actual), jsonOf(expected));

const jsonOf = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

// By name: an application's own form may use another copy of the package.
export const isLeaseLost = ({ name }: Error): boolean => name === "LeaseLostError";
export const isJournalError = ({ name }: Error): boolean => name === "JournalError";
