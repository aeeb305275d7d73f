import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Agent, model, type ToolListener, usesTools } from "../../../src/index.js";
import { ScriptedModel } from "../../../src/models/index.js";
import { toProviderTools } from "../../../src/models/provider-tools/index.js";
import type { McpToolbox } from "../../../src/mcp/index.js";
import { invokeTool } from "../../../src/testing/index.js";
import { atEnd, endAll, open, tool } from "./support.js";

/** A program of an installed package. */
const program = (name: string, file: string) => join(dirname(require.resolve(`${name}/package.json`)), file);

const everything = program("@modelcontextprotocol/server-everything", "dist/index.js");

/** Node's own part of a command. */
const node = (...args: string[]) => ({ command: process.execPath, args });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The URL of the server "everything", once it listens. */
async function everythingUrl(): Promise<string> {
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, [everything, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  atEnd(() => child.kill());
  await new Promise<void>((resolve) => {
    child.stderr?.on("data", (chunk: Buffer) => {
      if (/listening/i.test(chunk.toString())) resolve();
    });
  });
  return `http://127.0.0.1:${port}/mcp`;
}

describe.each([
  ["over a pipe", () => Promise.resolve(node(everything, "stdio"))],
  ["over HTTP", async () => ({ url: await everythingUrl() })],
])("@modelcontextprotocol/server-everything, %s", (_, server) => {
  let box: McpToolbox;
  beforeAll(async () => {
    box = await open(await server(), { prefix: "all" });
  }, 60_000);
  afterAll(endAll);

  it("gives tools, all of them, and providers take them", () => {
    expect(box.refused).toEqual([]);
    expect(box.tools.map(({ identifier }) => identifier)).toEqual(
      expect.arrayContaining(["all_echo", "all_get-sum", "all_get-tiny-image"]),
    );
    for (const dialect of ["openai-responses", "anthropic"] as const) {
      expect(toProviderTools(box.tools, dialect)).toHaveLength(box.tools.length);
    }
  });

  it("answers calls with texts, structured content, and parts of several kinds", async () => {
    await expect(invokeTool(tool(box, "echo"), { message: "hello" })).resolves.toBe("Echo: hello");
    await expect(invokeTool(tool(box, "get-sum"), { a: 2, b: 3 })).resolves.toBe("The sum of 2 and 3 is 5.");
    await expect(invokeTool(tool(box, "get-structured-content"), { location: "New York" })).resolves.toMatchObject({
      temperature: expect.any(Number),
      conditions: expect.any(String),
    });
    await expect(invokeTool(tool(box, "get-tiny-image"), {})).resolves.toContainEqual({
      type: "image",
      mediaType: "image/png",
      data: expect.stringMatching(/^iVBOR/),
    });
  });

  it("isn't asked for what its schema doesn't allow", async () => {
    await expect(invokeTool(tool(box, "get-sum"), { a: "two", b: 3 })).rejects.toThrow("a must be a number");
  });

  it("reports progress", async () => {
    const told: number[] = [];
    const listeners: ToolListener[] = [{ toolProgress: ({ fraction }) => void told.push(fraction) }];
    await invokeTool(tool(box, "trigger-long-running-operation"), { duration: 0.2, steps: 4 }, { listeners });
    expect(told).toEqual(expect.arrayContaining([0.25, 0.5, 0.75]));
  });

  it("serves an agent", async () => {
    @model(new ScriptedModel([{ toolCalls: [{ name: "all_get-sum", arguments: { a: 20, b: 22 } }] }, "It is 42."]))
    @usesTools(box)
    class SumAgent extends Agent {}
    const response = await SumAgent.generate("What is 20 and 22?");
    expect(response.steps[0]?.toolCalls).toMatchObject([{ content: "The sum of 20 and 22 is 42." }]);
  });
});

describe("@modelcontextprotocol/server-filesystem", () => {
  let directory: string;
  let box: McpToolbox;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "mcp-files-"));
    writeFileSync(join(directory, "lamp.txt"), "The lamp is blue.");
    const server = node(program("@modelcontextprotocol/server-filesystem", "dist/index.js"), directory);
    box = await open(server, { prefix: "files", settings: ({ name }) => ({ requiresConfirmation: !name.startsWith("read") }) });
  }, 60_000);
  afterAll(async () => {
    await endAll();
    rmSync(directory, { recursive: true });
  });

  it("gives tools, all of them", () => {
    expect(box.refused).toEqual([]);
    expect(box.tools.length).toBeGreaterThan(10);
  });

  it("reads and writes", async () => {
    await expect(invokeTool(tool(box, "read_text_file"), { path: join(directory, "lamp.txt") })).resolves.toMatchObject({
      content: "The lamp is blue.",
    });
    await invokeTool(tool(box, "write_file"), { path: join(directory, "chair.txt"), content: "The chair is red." });
    expect(readFileSync(join(directory, "chair.txt"), "utf8")).toBe("The chair is red.");
  });

  it("throws Access denied for a file outside its directory", async () => {
    await expect(invokeTool(tool(box, "read_text_file"), { path: "/etc/passwd" })).rejects.toThrow(/Access denied/);
  });

  it("writes nothing for an agent before a person approves the call", async () => {
    const path = join(directory, "table.txt");
    @model(new ScriptedModel([{ toolCalls: [{ name: "files_write_file", arguments: { path, content: "Mine." } }] }, "Done."]))
    @usesTools(box)
    class NotesAgent extends Agent {}
    const response = await NotesAgent.generate("Write it.");
    expect(response.outcome.reason).toBe("awaiting_confirmation");
    expect(() => readFileSync(path)).toThrow("ENOENT");
  });
});

describe("@modelcontextprotocol/server-memory", () => {
  it("gives tools, all of them, and remembers", async () => {
    const directory = mkdtempSync(join(tmpdir(), "mcp-memory-"));
    const server = node(program("@modelcontextprotocol/server-memory", "dist/index.js"));
    const box = await open({ ...server, env: { MEMORY_FILE_PATH: join(directory, "memory.json") } }, { prefix: "memory" });
    atEnd(() => rmSync(directory, { recursive: true }));
    expect(box.refused).toEqual([]);
    const lamp = { name: "lamp", entityType: "thing", observations: ["is blue"] };
    await invokeTool(tool(box, "create_entities"), { entities: [lamp] });
    await expect(invokeTool(tool(box, "search_nodes"), { query: "blue" })).resolves.toMatchObject({ entities: [lamp] });
    await endAll();
  }, 60_000);
});

describe("@playwright/mcp", () => {
  it("gives tools, all of them, without a browser", async () => {
    const box = await open(node(program("@playwright/mcp", "cli.js")), { prefix: "browser" });
    expect(box.refused).toEqual([]);
    expect(box.tools.map(({ identifier }) => identifier)).toContain("browser_browser_navigate");
    expect(toProviderTools(box.tools, "openai-responses")).toHaveLength(box.tools.length);
    await endAll();
  }, 60_000);
});
