import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolExecutor } from "../../src/execution/index.js";
import { rootedAt } from "../../src/tools/index.js";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "toolwright-alike-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function toolsOf(directory: string) {
  const { ReadFileTool, WriteFileTool, ListDirectoryTool } = rootedAt(directory);
  const executor = new ToolExecutor({ tools: [ReadFileTool, WriteFileTool, ListDirectoryTool] });
  return {
    read: async (path: string) => (await executor.run(ReadFileTool, { path })).content,
    write: (path: string, content: string) => executor.run(WriteFileTool, { path, content }),
    list: async (path: string) => (await executor.run(ListDirectoryTool, { path })).entries.map(({ name }) => name),
  };
}

const pairs = [
  ["letters and accents apart", "Re\u0301sume\u0301.txt", "R\u00e9sum\u00e9.txt"],
  ["letters and accents together", "R\u00e9sum\u00e9.txt", "Re\u0301sume\u0301.txt"],
  ["a narrow space", "Screenshot 9.41\u202fPM.txt", "Screenshot 9.41 PM.txt"],
  ["a space that doesn't break", "my\u00a0notes.txt", "my notes.txt"],
  ["a thin space", "1\u2009000.txt", "1 000.txt"],
  ["a plain space, asked by another", "my notes.txt", "my\u00a0notes.txt"],
  ["another normal form and another space", "Cafe\u0301\u202fA.txt", "Caf\u00e9 A.txt"],
] as const;

describe("a name on the disk with", () => {
  it.each(pairs)("%s is read and replaced by the name that looks like it", async (_name, real, asked) => {
    writeFileSync(join(root, real), "old");
    const { read, write } = toolsOf(root);
    expect(await read(asked)).toBe("old");
    await write(asked, "new");
    expect(readdirSync(root)).toEqual([real]);
    expect(readFileSync(join(root, real), "utf8")).toBe("new");
  });

  it.each(pairs)("%s is found if it is a directory on the way", async (_name, real, asked) => {
    mkdirSync(join(root, real, real), { recursive: true });
    const { read, write, list } = toolsOf(root);
    await write(`${asked}/${asked}/a.txt`, "below");
    expect(readdirSync(root)).toEqual([real]);
    expect(await list(`${asked}/${asked}`)).toEqual(["a.txt"]);
    expect(await read(`./${asked}/${real}/a.txt`)).toBe("below");
  });

  it("the exact characters that were asked for comes before those that look like it", async () => {
    for (const name of ["a b.txt", "a\u00a0b.txt", "a\u202fb.txt"]) writeFileSync(join(root, name), JSON.stringify(name));
    expect(await toolsOf(root).read("a\u00a0b.txt")).toBe(JSON.stringify("a\u00a0b.txt"));
  });

  it("several look-alikes is ambiguous: nothing is read or written", async () => {
    for (const name of ["a\u00a0b.txt", "a\u202fb.txt"]) writeFileSync(join(root, name), "x");
    const { read, write } = toolsOf(root);
    const message =
      'Ambiguous name: a b.txt. 2 names look like it: "a\\u00a0b.txt", "a\\u202fb.txt". They differ only by Unicode form or kind of space. Use one of them with its exact characters.';
    await expect(read("a b.txt")).rejects.toThrow(message);
    await expect(write("a b.txt", "y")).rejects.toThrow(message);
    expect(readdirSync(root)).toHaveLength(2);
  });

  it("other letters is another file", async () => {
    writeFileSync(join(root, "resume.txt"), "plain");
    const { read, write } = toolsOf(root);
    await expect(read("r\u00e9sum\u00e9.txt")).rejects.toThrow("File not found");
    await write("r\u00e9sum\u00e9.txt", "accents");
    expect(readdirSync(root)).toHaveLength(2);
  });

  it("two writes at once under names that look alike leave one file", async () => {
    const { write } = toolsOf(root);
    await Promise.all([write("Caf\u00e9.txt", "one"), write("Cafe\u0301.txt", "two")]);
    expect(readdirSync(root)).toHaveLength(1);
  });
});
