import { checkOptionNames, type OptionNames } from "../../tool/internal.js";
import type { Storage } from "../../storage/index.js";
import { claimCases } from "./claim-cases.js";
import { conversationCases } from "./conversation-cases.js";
import { journalAppendCases } from "./journal-append-cases.js";
import { journalHolderCases } from "./journal-holder-cases.js";
import { journalReadingCases } from "./journal-reading-cases.js";
import { leaseCases } from "./lease-cases.js";
import { type Case, StorageUnderTest } from "./storage-under-test.js";

/** Options of `storageTests`. */
export interface StorageTestsOptions {
  /**
   * Opens a storage. Storages of one name share their data, and one with a new name is empty: use it for a file, a schema or a prefix. It
   * consists of lower-case letters, digits and underscores.
   */
  readonly open: (name: string) => Storage | Promise<Storage>;
  /** Whether the data is still there after `close()`. Default: true. */
  readonly persistent?: boolean;
  /** Whether several processes may use the same data at once: two storages with the same name are opened. Default: true. */
  readonly shared?: boolean;
}

/** One test of the suite. */
export interface StorageTest {
  /** What holds if it passes. */
  readonly title: string;
  /** Rejects if it doesn't hold. It opens and closes storages of its own. */
  readonly run: () => Promise<void>;
}

const optionNames = { open: true, persistent: true, shared: true } satisfies OptionNames<StorageTestsOptions>;

/**
 * The tests that every form of storage passes, for any test runner: they check what the comments of `Storage` and its parts promise.
 *
 * ```ts
 * describe("MyStorage", () => {
 *   for (const { title, run } of storageTests({ open: (name) => new MyStorage(name) })) it(title, run);
 * });
 * ```
 *
 * See docs/18-storage.md.
 */
export function storageTests(options: StorageTestsOptions): readonly StorageTest[] {
  checkOptionNames(options, optionNames, "storageTests");
  const { open, persistent = true, shared = true } = options;
  const cases: readonly Case[] = [
    ...journalReadingCases,
    ...journalAppendCases,
    ...journalHolderCases,
    ...leaseCases,
    ...claimCases,
    ...conversationCases,
  ];
  return cases
    .filter(({ needs }) => needs === undefined || (needs === "persistent" ? persistent : shared))
    .map(({ title, check }) => ({
      title,
      run: async () => {
        const storage = new StorageUnderTest(open);
        try {
          await check(storage);
        } finally {
          await storage.closeAll();
        }
      },
    }));
}
