import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { createRunScope, modelText, ToolExecutor } from "../../src/execution/index.js";
import { Agent, model, requiresConfirmation, ToolDefinitionError, ToolExecutionError, usesTools } from "../../src/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { CalculatorTool, fileToolbox, rootedAt, standardToolbox } from "../../src/tools/index.js";
import { type FilesFixture, filesFixture } from "./files-fixture.js";

let fixture: FilesFixture;
beforeEach(() => (fixture = filesFixture()));
afterEach(() => fixture.remove());

const inRoot = (name: string): string => join(fixture.root, name);
const read = (path: string, maxBytes = 1_000) => invokeTool(rootedAt(fixture.root, { maxBytes }).ReadFileTool, { path });
const write = (path: string, content: string, maxBytes = 1_000) =>
  invokeTool(rootedAt(fixture.root, { maxBytes }).WriteFileTool, { path, content });
const list = (path: string, recursive?: boolean) =>
  invokeTool(rootedAt(fixture.root).ListDirectoryTool, recursive === undefined ? { path } : { path, recursive });

describe('seed 000, "readFileTool"', () => {
  it("reads file content as text, with its size in bytes", async () => {
    writeFileSync(inRoot("umlaut.txt"), "grün");
    expect(await read("umlaut.txt")).toEqual({ content: "grün", size: 5 });
  });

  it("has the seed's input and output schema", () => {
    const { definition } = rootedAt(fixture.root).ReadFileTool;
    expect(definition).toMatchObject({
      name: "read_file",
      parametersSchema: {
        type: "object",
        properties: { path: { type: "string", description: "File path to read" } },
        required: ["path"],
      },
      outputSchema: { type: "object", properties: { content: { type: "string" }, size: { type: "integer" } } },
    });
  });

  it('a missing file is a ToolExecutionError "File not found: <path>", the path as the model gave it', async () => {
    const missing = read("sub/../notes.txt");
    await expect(missing).rejects.toBeInstanceOf(ToolExecutionError);
    await expect(missing).rejects.toThrow("File not found: sub/../notes.txt. Look with list_directory for what is there.");
  });

  it('a file that may not be read is a ToolExecutionError "Permission denied: <path>"', async () => {
    chmodSync(inRoot("a.txt"), 0o000);
    await asNobody(async () => {
      await expect(read("a.txt")).rejects.toBeInstanceOf(ToolExecutionError);
      await expect(read("a.txt")).rejects.toThrow("Permission denied: a.txt.");
    });
  });

  it("only reads: the model may try again, with another path", () => {
    expect(rootedAt(fixture.root).ReadFileTool.definition).toMatchObject({ category: "read", effect: "none", retryable: true });
  });
});

describe('seed 000, "writeFileTool"', () => {
  it("writes text content to a file", async () => {
    expect(await write("new.txt", "grün")).toEqual({ bytesWritten: 5 });
    expect(readFileSync(inRoot("new.txt"), "utf8")).toBe("grün");
  });

  it("has the seed's input and output schema", () => {
    expect(rootedAt(fixture.root).WriteFileTool.definition).toMatchObject({
      name: "write_file",
      parametersSchema: {
        type: "object",
        properties: { path: { type: "string" }, content: { type: "string" } },
        required: ["path", "content"],
      },
      outputSchema: { type: "object", properties: { bytesWritten: { type: "integer" } } },
    });
  });

  it("isn't retryable, and says that it writes", () => {
    expect(rootedAt(fixture.root).WriteFileTool.definition).toMatchObject({ category: "write", effect: "idempotent", retryable: false });
  });
});

describe('seed 000, "listDirectoryTool"', () => {
  it("lists files and directories in a directory, by name", async () => {
    expect(await list("sub")).toEqual({ entries: [{ name: "b.txt", type: "file", size: 6 }] });
    mkdirSync(inRoot("sub/a"));
    expect(await list("sub", false)).toEqual({
      entries: [
        { name: "a", type: "directory" },
        { name: "b.txt", type: "file", size: 6 },
      ],
    });
  });

  it("lists what is in its directories, too, where recursive is true", async () => {
    const { entries } = (await list(".", true)) as { entries: { name: string; type: string }[] };
    expect(entries).toContainEqual({ name: "sub", type: "directory" });
    expect(entries).toContainEqual({ name: "sub/b.txt", type: "file", size: 6 });
  });

  it("has the seed's input and output schema", () => {
    expect(rootedAt(fixture.root).ListDirectoryTool.definition).toMatchObject({
      name: "list_directory",
      category: "read",
      parametersSchema: {
        type: "object",
        properties: { path: { type: "string" }, recursive: { type: "boolean", default: false } },
        required: ["path"],
      },
      outputSchema: {
        type: "object",
        properties: {
          entries: {
            type: "array",
            items: { properties: { name: { type: "string" }, type: { enum: ["file", "directory"] }, size: { type: "integer" } } },
          },
        },
      },
    });
  });
});

describe('seed 000, "Retry Policy"', () => {
  it("Example Retry Flow: the agent reads a file that isn't there, changes the path and succeeds", async () => {
    mkdirSync(inRoot("tmp"));
    writeFileSync(inRoot("tmp/data.json"), "{}");
    const call = (path: string) => ({ toolCalls: [{ name: "read_file", arguments: { path } }] });
    const script = new ScriptedModel([call("tmp/data.txt"), call("tmp/data.json"), "It is empty."]);
    @model(script)
    @usesTools([rootedAt(fixture.root).ReadFileTool])
    class ReaderAgent extends Agent {}
    expect((await ReaderAgent.generate("What is in the data file?")).text).toBe("It is empty.");
    expect(script.requests.at(-1)?.messages.flatMap((message) => (message.role === "tool" ? [message.content] : []))).toEqual([
      "Error executing tool: File not found: tmp/data.txt. Look with list_directory for what is there.",
      '{"content":"{}","size":2}',
    ]);
  });
});

describe("what can't be read", () => {
  it.each([
    ["sub", "Is a directory, not a file: sub. Look with list_directory for the files in it."],
    ["a.txt/b", "Not a directory: a.txt/b."],
    ["fifo", "Not a regular file: fifo."],
    ["loop1", "Link that leads nowhere: loop1."],
    ["dangling", "Link that leads nowhere: dangling."],
    ["filelink", "Outside the directory that tools may use: filelink. Give a path below it, such as notes.txt or sub/notes.txt."],
    ["zero", "Outside the directory that tools may use: zero."],
    ["~/notes.txt", "Path that begins with ~: ~/notes.txt. There is no home directory here."],
    ["file:///notes.txt", "URL instead of a path: file:///notes.txt."],
    ["", 'Empty path: . Give the path of a file, such as notes.txt; "." is the top directory.'],
    ["x".repeat(300), "Name too long: "],
  ])("%j: %s", async (path, message) => {
    await expect(read(path)).rejects.toThrow(message);
  });

  it("a binary file: says that it isn't text", async () => {
    writeFileSync(inRoot("picture.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]));
    writeFileSync(inRoot("latin1.txt"), Buffer.from([0x67, 0x72, 0xfc, 0x6e]));
    await expect(read("picture.png")).rejects.toThrow("Not a text file: picture.png. It is binary, or not UTF-8.");
    await expect(read("latin1.txt")).rejects.toThrow("Not a text file: latin1.txt.");
  });

  it("a file that is too large: says how much can be read", async () => {
    writeFileSync(inRoot("large.txt"), "x".repeat(1_001));
    await expect(read("large.txt")).rejects.toThrow("File too large: large.txt. At most 1000 bytes can be read. Use a smaller file.");
    expect(await read("large.txt", 1_001)).toMatchObject({ size: 1_001 });
  });

  it("a file that says it has no bytes, as those of /proc do: what is read is counted", async () => {
    const { ReadFileTool } = rootedAt("/proc/self", { maxBytes: 100 });
    await expect(invokeTool(ReadFileTool, { path: "maps" })).rejects.toThrow("File too large: maps. At most 100 bytes can be read.");
    const whole = invokeTool(rootedAt("/proc/self").ReadFileTool, { path: "maps" });
    expect(await whole).toMatchObject({ content: expect.stringMatching(/\[stack\]/) });
  });

  it("a hundred pipes: none of them keeps the tools from reading files", async () => {
    await Promise.allSettled(Array.from({ length: 100 }, () => read("fifo")));
    expect(await read("a.txt")).toEqual({ content: "in\n", size: 3 });
  });

  it("never shows the model if the directory lies, though the application sees it in the cause", async () => {
    const executor = new ToolExecutor({ tools: [rootedAt(fixture.root).ReadFileTool] });
    const result = await executor.call({ id: "call_1", name: "read_file", arguments: '{"path":"gone/notes.txt"}' }, createRunScope());
    expect(result).toMatchObject({ errorType: "execution_error" });
    expect(modelText(result)).toContain("File not found: gone/notes.txt");
    expect(modelText(result)).not.toContain(fixture.root);
  });

  it("the root, once it is gone", async () => {
    const { ReadFileTool } = rootedAt(fixture.root);
    fixture.remove();
    await expect(invokeTool(ReadFileTool, { path: "a.txt" })).rejects.toThrow("Directory is gone: a.txt. Tell the user");
  });
});

describe("what is read", () => {
  it("an empty file, and a text with a byte order mark, which isn't part of it", async () => {
    writeFileSync(inRoot("empty.txt"), "");
    writeFileSync(inRoot("marked.txt"), "\ufefftext");
    expect(await read("empty.txt")).toEqual({ content: "", size: 0 });
    expect(await read("marked.txt")).toEqual({ content: "text", size: 7 });
  });

  it("absolute paths below the root, also if the root is given as a link to it", async () => {
    const link = join(fixture.root, "..", "link");
    symlinkSync(fixture.root, link);
    const { ReadFileTool } = rootedAt(link);
    for (const path of ["a.txt", join(link, "a.txt"), inRoot("a.txt")]) {
      expect(await invokeTool(ReadFileTool, { path })).toEqual({ content: "in\n", size: 3 });
    }
  });
});

describe("a write", () => {
  it("makes the directories on its way", async () => {
    await write("notes/2026/may.txt", "text");
    expect(readFileSync(inRoot("notes/2026/may.txt"), "utf8")).toBe("text");
  });

  it("keeps the file's mode", async () => {
    chmodSync(inRoot("a.txt"), 0o750);
    await write("a.txt", "text");
    expect(statSync(inRoot("a.txt")).mode & 0o777).toBe(0o750);
  });

  it("goes through a link that stays inside, which stays a link", async () => {
    await write("okl", "text");
    expect(lstatSync(inRoot("okl")).isSymbolicLink()).toBe(true);
    expect(readFileSync(inRoot("a.txt"), "utf8")).toBe("text");
  });

  it("leaves the other name of a file alone, which may lie outside", async () => {
    await write("hard", "text");
    expect(readFileSync(join(fixture.out, "secret.txt"), "utf8")).toBe("secret\n");
  });

  it.each([
    [".git/hooks/pre-commit"],
    ["sub/.GIT/config"],
    [".git"],
    [".env"],
    ["sub/.env.local"],
    ["gitlink/config"],
    [".g\u200cit/config"],
    [".git./config"],
    [".GIT /config"],
    [".git::$INDEX_ALLOCATION/config"],
    ["git~1/config"],
    ["sub/ENV~1.LOC"],
    [".env."],
  ])("never reaches %s", async (path) => {
    mkdirSync(inRoot(".git"));
    symlinkSync(".git", inRoot("gitlink"));
    await expect(write(path, "text")).rejects.toThrow(`Permission denied: ${path}. Files in .git and files named .env are never written.`);
    expect(readdirSync(inRoot(".git"))).toEqual([]);
  });

  it("may make .gitignore and a name that only begins like a protected one", async () => {
    await write(".gitignore", "dist");
    await write("environment.txt", "text");
    expect(existsSync(inRoot(".gitignore"))).toBe(true);
  });

  it.each([
    ["sub", "Is a directory, not a file: sub."],
    [".", "Is a directory, not a file: .."],
    ["sub/", "Path of a directory: sub/. Add the name of the file."],
    ["a.txt/b.txt", "Not a directory: a.txt/b.txt."],
    ["fifo", "Not a regular file: fifo."],
    ["dangling", "Link that leads nowhere: dangling."],
    ["danglingout", "Link that leads nowhere: danglingout."],
    [`new/${"d/".repeat(50)}a.txt`, "Too many new directories: new/d/d/"],
    [`new/${"x".repeat(300)}`, "Name too long: new/"],
    [`${"d/".repeat(2_000)}a`, "Path too deep: d/d/"],
  ])("of %j fails and leaves nothing behind: %s", async (path, message) => {
    const before = fixture.inside();
    await expect(write(path, "text")).rejects.toThrow(message);
    expect(fixture.inside()).toEqual(before);
  });

  it("of too much fails before anything is touched", async () => {
    const failing = write("a.txt", "ü".repeat(501));
    await expect(failing).rejects.toThrow("File too large: a.txt. It would have 1002 bytes, and at most 1000 can be written.");
    expect(readFileSync(inRoot("a.txt"), "utf8")).toBe("in\n");
  });

  it("into a directory that may not be changed is denied", async () => {
    chmodSync(fixture.root, 0o555);
    await asNobody(() => expect(write("new/new.txt", "text")).rejects.toThrow("Permission denied: new/new.txt."));
  });

  it("of a file that may not be changed is denied, though its directory may be", async () => {
    chmodSync(fixture.root, 0o777);
    chmodSync(inRoot("a.txt"), 0o444);
    await asNobody(() => expect(write("a.txt", "text")).rejects.toThrow("Permission denied: a.txt."));
    expect(readFileSync(inRoot("a.txt"), "utf8")).toBe("in\n");
  });

  it("on a full disk keeps the old file, and leaves no new one and no directory", async () => {
    const handle = await open(inRoot("a.txt"));
    await handle.close();
    const { writeFile } = Object.getPrototypeOf(handle) as typeof handle;
    const full = jest.spyOn(Object.getPrototypeOf(handle) as typeof handle, "writeFile").mockImplementation(async function (
      this: typeof handle,
    ) {
      await writeFile.call(this, "ha");
      throw Object.assign(new Error(`ENOSPC: no space left on device, write '${fixture.root}'`), { code: "ENOSPC" });
    });
    const before = fixture.inside();
    await expect(write("a.txt", "half")).rejects.toThrow("No space left: a.txt. Nothing was written. Ask the user to free some space.");
    await expect(write("new/deep/new.txt", "half")).rejects.toThrow("No space left: new/deep/new.txt.");
    full.mockRestore();
    expect(fixture.inside()).toEqual(before);
  });

  it("is seen whole by those who read meanwhile", async () => {
    const { ReadFileTool, WriteFileTool } = rootedAt(fixture.root);
    const texts = ["a".repeat(100_000), "b".repeat(90_000)];
    await invokeTool(WriteFileTool, { path: "a.txt", content: texts[0] });
    const writing = Promise.all(
      Array.from({ length: 20 }, (_, index) => invokeTool(WriteFileTool, { path: "a.txt", content: texts[index % 2] })),
    );
    for (let reading = 0; reading < 50; reading++) {
      const { content } = (await invokeTool(ReadFileTool, { path: "a.txt" })) as { content: string };
      expect(texts.includes(content)).toBe(true);
    }
    await writing;
  });

  it('seed 000, "Thread Safety": waits for another write to the same file, whatever it is called there, and not for others', async () => {
    const { WriteFileTool } = rootedAt(fixture.root);
    const elsewhere = rootedAt(inRoot("sub")).WriteFileTool;
    let running = 0;
    const most = { same: 0, all: 0 };
    const watch = {
      toolStarted: ({ input }: { input: unknown }) => {
        most.all = Math.max(most.all, ++running);
        if ((input as { content: string }).content === "same") most.same = Math.max(most.same, running);
      },
      toolFinished: () => {
        running -= 1;
      },
    };
    const executor = new ToolExecutor({ tools: [WriteFileTool], listeners: [watch] });
    const writeAll = (paths: readonly string[], content: string) =>
      Promise.all(paths.map((path) => executor.call({ id: path, name: "write_file", arguments: { path, content } }, createRunScope())));
    await writeAll(["a.txt", "./a.txt", "sub/../a.txt", "okl", inRoot("a.txt"), "dirlink/../a.txt"], "same");
    expect(most.same).toBe(1);
    await writeAll(["one.txt", "two.txt", "three.txt"], "others");
    expect(most.all).toBeGreaterThan(1);

    const keyOf = (tool: typeof WriteFileTool, path: string) => (tool.definition.exclusive as (input: object) => string)({ path });
    expect(keyOf(elsewhere, "new.txt")).toBe(keyOf(WriteFileTool, "sub/new.txt"));
    expect(keyOf(WriteFileTool, "new.txt")).not.toBe(keyOf(WriteFileTool, "sub/new.txt"));
  });
});

describe("a listing", () => {
  it("passes over pipes, and links that lead outside or nowhere; follows links inside, but not into directories", async () => {
    symlinkSync("sub", inRoot("sublink"));
    const { entries } = (await list(".", true)) as { entries: { name: string }[] };
    const names = entries.map(({ name }) => name);
    for (const name of ["dirlink", "filelink", "dangling", "env", "zero", "fifo", "loop1", "sublink/b.txt"])
      expect(names).not.toContain(name);
    expect(entries).toContainEqual({ name: "okl", type: "file", size: 3 });
    expect(entries).toContainEqual({ name: "sublink", type: "directory" });
  });

  it("ends where links go round in circles", async () => {
    symlinkSync("..", inRoot("sub/up"));
    const { entries } = (await list(".", true)) as { entries: { name: string }[] };
    expect(entries.filter(({ name }) => name.includes("up"))).toEqual([{ name: "sub/up", type: "directory" }]);
  });

  it("of too many entries shows the upper levels, and notes that there are more", async () => {
    mkdirSync(inRoot("many"));
    for (let index = 0; index < 600; index++) writeFileSync(inRoot(`many/${index}`), "");
    const { entries, note } = (await list(".", true)) as { entries: { name: string }[]; note: string };
    expect(entries).toHaveLength(500);
    expect(entries.map(({ name }) => name)).toContain("swap.txt");
    expect(note).toBe("There are more than these 500. List the directories below one by one.");
  });

  it("goes on where a directory below is closed to it", async () => {
    chmodSync(inRoot("sub"), 0o000);
    await asNobody(async () =>
      expect(await list(".", true)).toMatchObject({ entries: expect.arrayContaining([{ name: "sub", type: "directory" }]) }),
    );
    await asNobody(() => expect(list("sub")).rejects.toThrow("Permission denied: sub."));
    chmodSync(inRoot("sub"), 0o755);
  });

  it.each([
    ["a.txt", "Not a directory: a.txt."],
    ["nowhere", 'Directory not found: nowhere. Look for what there is in ".".'],
    ["dirlink", "Outside the directory that tools may use: dirlink."],
    ["..", "Outside the directory that tools may use: ..."],
  ])("of %j fails: %s", async (path, message) => {
    await expect(list(path)).rejects.toThrow(message);
  });
});

describe("rootedAt and the toolboxes", () => {
  it("with readOnly there is no tool that writes", () => {
    expect(rootedAt(fixture.root, { readOnly: true })).not.toHaveProperty("WriteFileTool");
    expect(fileToolbox(fixture.root, { readOnly: true }).tools.map(({ identifier }) => identifier)).toEqual([
      "read_file",
      "list_directory",
    ]);
  });

  it("group the tools", () => {
    const files = fileToolbox(fixture.root);
    expect(files).toMatchObject({ name: "files" });
    expect(files.tools.map(({ identifier }) => identifier)).toEqual(["read_file", "write_file", "list_directory"]);
    expect(standardToolbox(files)).toEqual({ name: "standard", tools: [CalculatorTool, ...files.tools] });
  });

  it("classes of one call take decorators, and those of another don't know", () => {
    const { WriteFileTool } = rootedAt(fixture.root);
    requiresConfirmation()(WriteFileTool);
    expect(WriteFileTool.definition.requiresConfirmation).toBe(true);
    expect(rootedAt(fixture.root).WriteFileTool.definition.requiresConfirmation).toBe(false);
  });

  it("an author learns at once of a directory that isn't there, and of a size that is none", () => {
    expect(() => rootedAt(inRoot("nowhere"))).toThrow(`rootedAt: there is no directory ${inRoot("nowhere")}. Make it before its tools.`);
    expect(() => rootedAt(inRoot("a.txt"))).toThrow(ToolDefinitionError);
    expect(() => rootedAt("")).toThrow("rootedAt: the directory's path is empty. Is its setting missing?");
    expect(() => rootedAt(undefined as unknown as string)).toThrow("rootedAt: the directory's path is undefined. Is its setting missing?");
    expect(() => rootedAt(fixture.root, { maxBytes: 0 })).toThrow("rootedAt: maxBytes must be a whole number of bytes from 1, got 0.");
  });

  it("an author learns of a directory that may not be opened", async () => {
    mkdirSync(inRoot("closed/inner"), { recursive: true });
    chmodSync(inRoot("closed"), 0o000);
    await asNobody(async () =>
      expect(() => rootedAt(inRoot("closed/inner"))).toThrow(/inner can't be opened: EACCES: permission denied.* Let this process's user/),
    );
    chmodSync(inRoot("closed"), 0o755);
  });

  it("hard links can't be distinguished from files, and are read: the docs warn of them", async () => {
    linkSync(join(fixture.out, "secret.txt"), inRoot("another"));
    expect(await read("another")).toEqual({ content: "secret\n", size: 7 });
  });
});

/** A superuser may read and write everything: the test does without, for a moment. */
async function asNobody(test: () => Promise<unknown>): Promise<void> {
  const superuser = process.getuid?.() === 0;
  chmodSync(join(fixture.root, ".."), 0o755);
  if (superuser) process.seteuid?.(65_534);
  try {
    await test();
  } finally {
    if (superuser) process.seteuid?.(0);
  }
}
