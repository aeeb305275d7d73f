import { join } from "node:path";
import { FileStorage, SqliteStorage } from "../../src/storage/index.js";
import { expectAppendsToSurviveKills } from "../support/kill-storage.js";
import { compiledStorage, testDirectory } from "../support/storage-programs.js";

const directory = testDirectory("kill");
const compiled = compiledStorage(directory);
const hasSqlite = process.getBuiltinModule?.("node:sqlite") !== undefined;
const kills = 20;

describe("what was acknowledged survives kill -9 while a process appends", () => {
  it("to a FileStorage", async () => {
    const path = join(directory, "files");
    await expectAppendsToSurviveKills(compiled, `new storage.FileStorage(${JSON.stringify(path)})`, () => new FileStorage(path), kills);
  }, 120_000);

  (hasSqlite ? it : it.skip)(
    "to a SqliteStorage",
    async () => {
      const path = join(directory, "runs.sqlite");
      await expectAppendsToSurviveKills(
        compiled,
        `new storage.SqliteStorage(${JSON.stringify(path)})`,
        () => new SqliteStorage(path),
        kills,
      );
    },
    120_000,
  );
});
