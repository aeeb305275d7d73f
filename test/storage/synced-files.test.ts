import { open as openFile } from "node:fs/promises";
import { join } from "node:path";
import { FileStorage } from "../../src/storage/index.js";
import { testDirectory } from "../support/storage-programs.js";

const directory = testDirectory("synced-files");

/** Counts the files whose bytes, and the directories whose names, have reached the disk. */
async function countSyncs() {
  const handle = await openFile(join(directory, "any"), "w");
  const prototype = Object.getPrototypeOf(handle) as Record<"datasync" | "sync", () => Promise<void>>;
  await handle.close();
  const { datasync, sync } = prototype;
  const done = { files: 0, directories: 0 };
  jest.spyOn(prototype, "datasync").mockImplementation(async function (this: unknown) {
    await datasync.call(this);
    done.files += 1;
  });
  jest.spyOn(prototype, "sync").mockImplementation(async function (this: unknown) {
    await sync.call(this);
    done.directories += 1;
  });
  return done;
}
afterEach(() => jest.restoreAllMocks());

describe("FileStorage", () => {
  it("returns from an append once its bytes, and the name of a new file, are on the disk", async () => {
    const storage = new FileStorage(join(directory, "runs"));
    const lease = await storage.leases.acquire("run 1", "me", 60_000);
    const done = await countSyncs();
    for (const position of [0, 1, 2]) {
      const before = { ...done };
      await storage.journals.append({ runId: "1", agent: "a", status: "running", position, entries: [{ kind: "test" }] }, lease);
      expect(done.files).toBeGreaterThan(before.files);
      // Windows can't open a directory.
      if (position === 0 && process.platform !== "win32") expect(done.directories).toBeGreaterThan(before.directories);
    }
    await storage.close();
  });
});
