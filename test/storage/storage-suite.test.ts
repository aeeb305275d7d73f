import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileStorage, MemoryStorage } from "../../src/storage/index.js";
import { storageTests } from "../../src/testing/index.js";

const directory = mkdtempSync(join(tmpdir(), "storage-suite-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("MemoryStorage", () => {
  for (const { title, run } of storageTests({ open: () => new MemoryStorage(), persistent: false, shared: false })) it(title, run);
});

describe("FileStorage", () => {
  const tests = storageTests({ open: (name) => new FileStorage(join(directory, name)), shared: false });
  for (const { title, run } of tests) it(title, run);
});
