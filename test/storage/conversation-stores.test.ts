import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import fc from "fast-check";
import { checkStored } from "../../src/storage/internal.js";
import {
  type ConversationStore,
  FileConversationStore,
  MemoryConversationStore,
  type StoredConversation,
} from "../../src/storage/index.js";

const saying = (content: string, revision = 1): StoredConversation => ({ version: 1, revision, messages: [{ role: "user", content }] });

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "conversations-"));
});
afterEach(() => rm(directory, { recursive: true }));

const stores: readonly (readonly [string, () => ConversationStore])[] = [
  ["a memory store", () => new MemoryConversationStore()],
  ["a file store", () => new FileConversationStore(directory)],
];

describe.each(stores)("%s", (_name, open) => {
  it("gives back what was saved last", async () => {
    const store = open();
    await store.save("42", saying("Hello"));
    await store.save("42", saying("Good-bye", 2));
    expect(await store.load("42")).toEqual(saying("Good-bye", 2));
  });

  it("says who was first, and keeps what is stored", async () => {
    const store = open();
    const conflict = async (conversation: StoredConversation) => {
      try {
        await store.save("42", conversation);
      } catch (error) {
        return error;
      }
      throw new Error("It was saved.");
    };
    expect(await conflict(saying("Good-bye", 4))).toMatchObject({
      name: "ConversationConflictError",
      message:
        'The conversation "42" wasn\'t saved: revision 3 was loaded, and none is stored any more (revision 0). Load it again, and repeat the turn.',
    });
    await store.save("42", saying("Hello"));
    expect(await conflict(saying("Other"))).toMatchObject({
      message:
        "The conversation \"42\" wasn't saved: it wasn't loaded (revision 0), and revision 1 is stored. Load it again, and repeat the turn.",
    });
    await store.save("42", saying("Good-bye", 2));
    expect(await conflict(saying("Other", 2))).toMatchObject({
      id: "42",
      loaded: 1,
      stored: 2,
      message:
        'The conversation "42" wasn\'t saved: revision 1 was loaded, and revision 2 is stored: another request or process has saved it. ' +
        "Load it again, and repeat the turn.",
    });
    expect(await store.load("42")).toEqual(saying("Good-bye", 2));
  });

  it.each([0, -1, 1.5, Number.NaN, "1" as never])("rejects the revision %p", async (revision) => {
    await expect(async () => open().save("42", saying("Hello", revision))).rejects.toThrow(
      `The revision of a conversation must be a whole number from 1 on, got ${revision}.`,
    );
  });

  it("gives nothing if nothing was saved", async () => {
    expect(await open().load("42")).toBeUndefined();
  });

  it("gives and takes copies: objects aren't shared", async () => {
    const store = open();
    const messages = [{ role: "user" as const, content: "Hello" }];
    await store.save("42", { ...saying("Hello"), messages });
    messages[0]!.content = "changed";
    const first = (await store.load("42")) as unknown as { messages: { content: string }[] };
    first.messages[0]!.content = "changed";
    expect(await store.load("42")).toEqual(saying("Hello"));
  });

  it("refuses an id that says nothing", async () => {
    await expect(async () => open().load("")).rejects.toThrow(
      "The id of a conversation must be a string that isn't empty, got an empty one.",
    );
    await expect(async () => open().save(undefined as never, saying("Hello"))).rejects.toThrow(
      "The id of a conversation must be a string that isn't empty, got undefined.",
    );
  });

  it("keeps any two ids apart", async () => {
    const id = fc.oneof(
      fc.string({ minLength: 1, unit: "binary" }),
      fc.constantFrom("a", "A", "a.", "a ", "../a", "..", "/etc/passwd", "C:\\a", "CON", "nul", "é", "e\u0301", "\ud800", "\ud801", "a\0b"),
      fc.constantFrom("x".repeat(5_000), "x".repeat(5_001), "__proto__", "constructor"),
    );
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(id, { maxLength: 8 }), async (ids) => {
        const store = open();
        for (const one of ids) await store.delete?.(one);
        for (const [index, one] of ids.entries()) await store.save(one, saying(`${index}`));
        for (const [index, one] of ids.entries()) expect(await store.load(one)).toEqual(saying(`${index}`));
      }),
      { numRuns: 30 },
    );
  });
});

describe("a file store", () => {
  it("makes its directory, and gives the next process what this one saved", async () => {
    const nested = join(directory, "deep", "conversations");
    await new FileConversationStore(nested).save("42", saying("Hello"));
    expect(await new FileConversationStore(nested).load("42")).toEqual(saying("Hello"));
  });

  it.each([
    ["climbs up", "../../outside"],
    ["is a path", "/etc/passwd"],
    ["is a path on Windows", "C:\\outside"],
    ["is a device on Windows", "CON"],
    ["holds a zero byte", "a\0b"],
    ["is long", "x".repeat(10_000)],
  ])("keeps an id that %s inside its directory", async (_what, id) => {
    await new FileConversationStore(directory).save(id, saying("Hello"));
    const files = await readdir(directory);
    expect(files).toHaveLength(1);
    // A name that every file system takes, and Windows doesn't keep for a device.
    expect(files[0]).toMatch(/^[a-z0-9-]{0,41}-[0-9a-f]{64}\.json$/);
  });

  it("shows its files to their owner alone", async () => {
    await new FileConversationStore(directory).save("42", saying("Hello"));
    const [file] = await readdir(directory);
    if (process.platform !== "win32") expect((await stat(join(directory, file!))).mode & 0o077).toBe(0);
  });

  it("holds one whole conversation, however many are saved at once", async () => {
    const store = new FileConversationStore(directory);
    const texts = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(10_000));
    const reading = Promise.all(texts.map(() => store.load("42")));
    await Promise.all(texts.map((text, index) => store.save("42", saying(text, index + 1))));
    for (const conversation of [...(await reading), await store.load("42")]) {
      if (conversation !== undefined) expect(texts).toContain(conversation.messages[0]?.content);
    }
    expect(await readdir(directory)).toHaveLength(1);
  });

  it("saves for one of many in objects that know the directory by different paths", async () => {
    await symlink(directory, `${directory}-link`);
    const stores = [directory, `${directory}-link`, relative(process.cwd(), directory)].map((path) => new FileConversationStore(path));
    const saves = await Promise.allSettled(stores.map((store, index) => store.save("42", saying(`${index}`))));
    await rm(`${directory}-link`);
    expect(saves.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("saves nothing over a damaged file", async () => {
    const store = new FileConversationStore(directory);
    await store.save("42", saying("Hello"));
    const file = join(directory, (await readdir(directory))[0]!);
    await writeFile(file, "{");
    await expect(store.save("42", saying("Good-bye", 2))).rejects.toThrow("is not valid JSON");
    expect(await readFile(file, "utf8")).toBe("{");
  });

  it("keeps the conversation before if a save fails", async () => {
    const store = new FileConversationStore(directory);
    await store.save("42", saying("Hello"));
    const circle: { self?: unknown } = {};
    circle.self = circle;
    await expect(store.save("42", { version: 1, messages: [circle as never] })).rejects.toThrow("circular");
    expect(await store.load("42")).toEqual(saying("Hello"));
  });

  it.each([
    ["", "is not valid JSON"],
    ['{"version": 1, "messa', "is not valid JSON"],
    ["null", "isn't a stored conversation: { version: 1, messages: [...] }"],
    ['{"messages": []}', "isn't a stored conversation"],
    ['{"version": 1, "messages": "Hello"}', "isn't a stored conversation"],
    ['{"version": 1, "revision": 0, "messages": []}', "isn't a stored conversation"],
    ['{"version": 1, "revision": "2", "messages": []}', "isn't a stored conversation"],
    ['{"version": 2, "messages": []}', "has version 2, and this version of Toolwright reads version 1"],
  ])("names a file that holds %p, and keeps it", async (text, problem) => {
    const store = new FileConversationStore(directory);
    await store.save("42", saying("Hello"));
    const file = join(directory, (await readdir(directory))[0]!);
    await writeFile(file, text);
    await expect(store.load("42")).rejects.toThrow(
      expect.objectContaining({ name: "ConversationStoreError", message: expect.stringContaining(`file ${file} ${problem}`) }),
    );
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it("loads what version 0.1.0 stored, as its first revision", async () => {
    const store = new FileConversationStore(directory);
    await store.save("42", saying("Hello"));
    const file = join(directory, (await readdir(directory))[0]!);
    const stored: StoredConversation = { version: 1, messages: [{ role: "user", content: "Hello" }] };
    await writeFile(file, JSON.stringify(stored));
    expect(await store.load("42")).toEqual(stored);
    await expect(store.save("42", saying("Other"))).rejects.toThrow("revision 1 is stored");
    await store.save("42", saying("Good-bye", 2));
  });

  it("throws what else the file system says", async () => {
    const file = join(directory, "file");
    await writeFile(file, "");
    await expect(new FileConversationStore(file).load("42")).rejects.toThrow("ENOTDIR");
    await expect(new FileConversationStore(file).save("42", saying("Hello"))).rejects.toThrow(/EEXIST|ENOTDIR/);
  });
});

describe("what another store gives", () => {
  it("is looked at before it is used", () => {
    expect(checkStored(saying("Hello"), 'conversation "42"')).toEqual(saying("Hello"));
    expect(() => checkStored("text", 'conversation "42"')).toThrow('The conversation "42" isn\'t a stored conversation');
  });
});
