import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolExecutor } from "../../src/execution/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { rootedAt } from "../../src/tools/index.js";

describe("the tools of rootedAt", () => {
  it("have typed arguments and results", async () => {
    const root = mkdtempSync(join(tmpdir(), "toolwright-types-"));
    const { ReadFileTool, WriteFileTool, ListDirectoryTool } = rootedAt(root);
    const executor = new ToolExecutor({ tools: [ReadFileTool, WriteFileTool, ListDirectoryTool] });
    const { bytesWritten } = await executor.run(WriteFileTool, { path: "a.txt", content: "Hi." });
    const bytes: number = bytesWritten;
    const { content, size, note } = await executor.run(ReadFileTool, { path: "a.txt" });
    const texts: readonly [string, number, string | undefined] = [content, size, note];
    const { entries } = await executor.run(ListDirectoryTool, { path: ".", recursive: true });
    const types: ("file" | "directory")[] = entries.map(({ type }) => type);
    expect([bytes, texts, types]).toEqual([3, ["Hi.", 3, undefined], ["file"]]);
    // @ts-expect-error: the parameter is named path
    await expect(executor.run(ReadFileTool, { file: "a.txt" })).rejects.toThrow("path");
    // @ts-expect-error: a path is a text
    await expect(executor.run(ReadFileTool, { path: 17 })).rejects.toThrow("path");
    // @ts-expect-error: a written file has no content in its result
    expect((await executor.run(WriteFileTool, { path: "b.txt", content: "" })).content).toBeUndefined();
    expect(await invokeTool(ReadFileTool, { path: "a.txt" })).toEqual({ content: "Hi.", size: 3 });
    rmSync(root, { recursive: true });
  });

  it("have no tool that writes, by type too, if they are read only", () => {
    const tools = rootedAt(tmpdir(), { readOnly: true });
    expect(tools.WriteFileTool).toBeUndefined();
  });
});
