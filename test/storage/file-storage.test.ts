import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { FileConversationStore, FileDecisionClaims, FileStorage, type JournalEntry, type Lease } from "../../src/storage/index.js";
import { testDirectory } from "../support/storage-programs.js";

const root = testDirectory("file-storage");
const day = 86_400_000;

let number = 0;
let directory: string;
let storage: FileStorage;
beforeEach(() => {
  directory = join(root, `${number++}`);
  storage = new FileStorage(directory);
});
afterEach(() => storage.close());

/** Appends entries with these texts. */
async function write(runId: string, position: number, texts: readonly string[], status: "running" | "ended" = "running"): Promise<void> {
  const lease: Lease = await storage.leases.acquire(`run ${runId}`, `${Math.random()}`, 60_000);
  const entries: readonly JournalEntry[] = texts.map((text) => ({ kind: "test", text }));
  try {
    await storage.journals.append({ runId, agent: "support", status, position, entries }, lease);
  } finally {
    await storage.leases.release(lease);
  }
}
const read = async (runId: string): Promise<readonly unknown[]> =>
  (await storage.journals.read(runId)).map((entry) => (entry as JournalEntry & { text: string }).text);
/** The only file of a folder that isn't a folder. */
const fileIn = (folder: string): string => {
  const names = readdirSync(join(directory, folder)).filter((name) => name.includes("."));
  expect(names).toHaveLength(1);
  return join(directory, folder, names[0] as string);
};

describe("the journals of a FileStorage", () => {
  it("write one line for each append, readable for their owner alone", async () => {
    await write("run 1", 0, ["a", "b"]);
    await write("run 1", 2, ["c"]);
    const file = fileIn("journals");
    const lines = readFileSync(file, "utf8").split("\n");
    expect(lines).toHaveLength(3);
    expect(JSON.parse(lines[1] as string)).toMatchObject({ runId: "run 1", status: "running", position: 2, entries: [{ text: "c" }] });
    if (process.platform !== "win32") expect(statSync(file).mode & 0o077).toBe(0);
  });

  it("are in a folder of their own once their run has ended, and come back if it goes on", async () => {
    await write("1", 0, ["a"], "ended");
    expect(fileIn("journals/ended")).toMatch(/\.jsonl$/);
    await write("1", 1, ["b"]);
    expect(readdirSync(join(directory, "journals/ended"))).toEqual([]);
    await storage.close();
    expect(await storage.journals.list({ status: "running" })).toMatchObject([{ runId: "1", length: 2 }]);
    expect(await read("1")).toEqual(["a", "b"]);
  });

  it("are moved at the next start if the process ended before it could", async () => {
    await write("1", 0, ["a"]);
    await storage.close();
    const file = fileIn("journals");
    writeFileSync(file, readFileSync(file, "utf8").replace('"running"', '"ended"'));
    expect(await storage.journals.list({ status: "ended" })).toMatchObject([{ runId: "1", status: "ended" }]);
    expect(fileIn("journals/ended")).toMatch(/\.jsonl$/);
  });

  it.each(['{"runId":"1","agent":"support","sta', "\0\0\0\0", "x".repeat(200_000)])(
    "drop a torn last line that begins with %.10j, and write over it",
    async (rest) => {
      await write("1", 0, ["a"]);
      await storage.close();
      appendFileSync(fileIn("journals"), rest);
      expect(await storage.journals.head("1")).toMatchObject({ length: 1, status: "running" });
      expect(await read("1")).toEqual(["a"]);
      await write("1", 1, ["b"]);
      await storage.close();
      expect(await read("1")).toEqual(["a", "b"]);
      expect(readFileSync(fileIn("journals"), "utf8").split("\n")).toHaveLength(3);
    },
  );

  it("begin anew if the process ended in the first line", async () => {
    await write("1", 0, ["a"]);
    await storage.close();
    const file = fileIn("journals");
    writeFileSync(file, readFileSync(file, "utf8").slice(0, 30));
    expect(await storage.journals.list()).toEqual([]);
    expect(await read("1")).toEqual([]);
    await write("1", 0, ["b"]);
    expect(await read("1")).toEqual(["b"]);
  });

  it.each([
    ["line 2", (text: string) => text.replace('"position":1', '"position":')],
    ["line 3", (text: string) => text.replace(/^.*"position":1.*\n/m, (line) => `${line}${line}`)],
    ["line 1", (text: string) => text.replace('"runId":"1"', '"runId":"2"')],
    ["line 2", (text: string) => text.replace(/^.*"position":1.*\n/m, "")],
  ])("name file and %s if they are damaged there, and stay as they are", async (line, damage) => {
    for (const [position, text] of ["a", "b", "c"].entries()) await write("1", position, [text]);
    await storage.close();
    const file = fileIn("journals");
    const damaged = damage(readFileSync(file, "utf8"));
    writeFileSync(file, damaged);
    await expect(read("1")).rejects.toMatchObject({
      name: "JournalError",
      reason: "broken",
      message: expect.stringContaining(`${file}, ${line}: `),
    });
    expect(readFileSync(file, "utf8")).toBe(damaged);
  });

  it("don't hinder other runs if the last line of one is damaged", async () => {
    await write("1", 0, ["a"]);
    await storage.close();
    const file = fileIn("journals");
    const damaged = `${readFileSync(file, "utf8")}damaged\n`;
    writeFileSync(file, damaged);
    await write("2", 0, ["b"]);
    expect(await storage.journals.list()).toMatchObject([{ runId: "2" }]);
    for (const work of [() => read("1"), () => storage.journals.head("1"), () => write("1", 1, ["b"])]) {
      await expect(work()).rejects.toMatchObject({ name: "JournalError", message: expect.stringContaining(`${file}, last line: damaged`) });
    }
    expect(readFileSync(file, "utf8")).toBe(damaged);
  });

  it.each([
    ["of a new run", 0],
    ["of a run", 1],
  ])("can be appended to after the disk was full in an append %s", async (_, before) => {
    for (let position = 0; position < before; position++) await write("1", position, ["a".repeat(1_000)]);
    await storage.journals.list();
    const full = await diskFullOnce();
    await expect(write("1", before, ["b".repeat(500)])).rejects.toThrow("ENOSPC");
    expect(full).toHaveBeenCalled();
    full.mockRestore();
    expect((await read("1")).length).toBe(before);
    await write("1", before, ["c"]);
    expect((await read("1")).at(-1)).toBe("c");
    await storage.close();
    expect((await read("1")).length).toBe(before + 1);
  });

  it("read their heads from last lines, also long ones", async () => {
    await write("1", 0, ["a"]);
    await write("1", 1, ["é".repeat(300_000)]);
    await storage.close();
    expect(await storage.journals.list()).toMatchObject([{ runId: "1", length: 2 }]);
  });
});

/** The next write to a file writes half of what it should, and fails. */
async function diskFullOnce(): Promise<jest.SpyInstance> {
  const handle = await open(join(root, "any"), "w");
  const prototype = Object.getPrototypeOf(handle) as {
    write(buffer: Buffer, offset: number, length: number, position: number): Promise<unknown>;
  };
  await handle.close();
  const { write: original } = prototype;
  return jest.spyOn(prototype, "write").mockImplementationOnce(async function (this: typeof prototype, buffer, offset, length, position) {
    await original.call(this, buffer, offset, Math.floor(length / 2), position);
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  });
}

describe("a FileStorage", () => {
  it("removes what killed writers left, when it is first used", async () => {
    mkdirSync(join(directory, "conversations"), { recursive: true });
    writeFileSync(join(directory, "conversations", "user-42.json.1.tmp"), '{"private":');
    expect(await storage.conversations.load("user-42")).toBeUndefined();
    expect(readdirSync(join(directory, "conversations"))).toEqual([]);
  });

  it("removes claims a day after they expired", async () => {
    const ids = ["a", "b", "c"].map((digit) => digit.repeat(64));
    const at = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();
    for (const [index, expiry] of [-2 * day, -day / 2, day].entries()) await storage.claims.claim([ids[index] as string], at(expiry));
    await storage.close();
    const known = await Promise.all(ids.map((id) => storage.claims.has?.(id)));
    expect(known).toEqual([false, true, true]);
    expect(readFileSync(join(directory, "claims.jsonl"), "utf8")).not.toContain("aaaa");
    expect(await storage.claims.claim([ids[2] as string], at(day))).toBe(false);
  });

  it("drops a torn last claim, and names the line of a damaged one", async () => {
    await storage.claims.claim(["a".repeat(64)], "2099-01-01T00:00:00.000Z");
    await storage.close();
    const file = join(directory, "claims.jsonl");
    appendFileSync(file, '{"ids":["bbb');
    expect(await storage.claims.claim(["b".repeat(64)], "2099-01-01T00:00:00.000Z")).toBe(true);
    await storage.close();
    writeFileSync(file, `damaged\n${readFileSync(file, "utf8")}`);
    await expect(storage.claims.claim(["c".repeat(64)], "2099-01-01T00:00:00.000Z")).rejects.toMatchObject({
      name: "StorageError",
      reason: "broken",
      message: expect.stringContaining(`${file}, line 1: damaged`),
    });
  });

  it.each<[string, () => unknown, string]>([
    ["no directory", () => new FileStorage(""), 'FileStorage: takes a directory, such as new FileStorage("./data").'],
    [
      "a lease that ends at once",
      () => new FileStorage("x", { leaseDuration: 0 }),
      "leaseDuration must be a number of milliseconds above 0, got 0.",
    ],
    [
      "options that are none",
      () => new FileStorage("x", 5 as never),
      "FileStorage: takes options, such as { leaseDuration: ... }, got number.",
    ],
  ])("rejects %s", (_, make, message) => {
    expect(make).toThrow(message);
  });
});

describe("stores in a directory of their own", () => {
  it("remove temporary conversations of killed writers after an hour", async () => {
    mkdirSync(directory, { recursive: true });
    for (const name of ["old.tmp", "new.tmp"]) writeFileSync(join(directory, name), "private");
    const file = await open(join(directory, "old.tmp"));
    await file.utimes(1, 1);
    await file.close();
    await new FileConversationStore(directory).save("42", { version: 1, messages: [] });
    expect(readdirSync(directory).filter((name) => name.endsWith(".tmp"))).toEqual(["new.tmp"]);
  });

  it("remove claims a day after they expired", async () => {
    const [expired, unexpired] = ["a".repeat(64), "b".repeat(64)];
    const claims = new FileDecisionClaims(directory);
    expect(await claims.claim([expired], "2026-01-01T00:00:00.000Z")).toBe(true);
    expect(await claims.claim([unexpired], "2099-01-01T00:00:00.000Z")).toBe(true);
    for (const name of readdirSync(directory)) {
      const file = await open(join(directory, name));
      await file.utimes(1, 1);
      await file.close();
    }
    await new FileDecisionClaims(directory).claim(["c".repeat(64)], "2099-01-01T00:00:00.000Z");
    expect(await claims.has(expired)).toBe(false);
    expect(await claims.has(unexpired)).toBe(true);
  });
});
