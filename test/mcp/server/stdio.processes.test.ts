import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { bundleApplication } from "../bundle-application.js";
import { clientOf, closeAll, closeLater, revisions, textOf, yes } from "./support.js";
import { until } from "../../support/until.js";

let application: string;

beforeAll(() => {
  application = bundleApplication(join(__dirname, "stdio-application.ts"), "mcp-stdio-application.cjs");
});
afterEach(closeAll);

describe.each(revisions)("over stdio, a client of %s", (revision) => {
  it("lists and calls tools, and has its user asked", async () => {
    const client = clientOf(revision, () => yes);
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [application], stderr: "ignore" }));
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["noisy", "refund", "wait", "hold", "stop"]);
    expect(textOf(await client.callTool({ name: "refund" }))).toBe("Refunded.");
  });
});

it("over stdio, the client of the first SDK lists, calls, and has its user asked", async () => {
  const client = closeLater(new OldClient({ name: "old", version: "1.0.0" }, { capabilities: { elicitation: {} } }));
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept" as const, content: { approve: true } }));
  await client.connect(new OldTransport({ command: process.execPath, args: [application], stderr: "ignore" }));
  expect((await client.listTools()).tools).toHaveLength(5);
  expect(textOf(await client.callTool({ name: "refund" }))).toBe("Refunded.");
  expect(textOf(await client.callTool({ name: "noisy" }))).toBe("quiet");
});

/** The process itself, spoken to by hand. */
class Application {
  readonly process: ChildProcessWithoutNullStreams = spawn(process.execPath, [application]);
  readonly exited: Promise<number | null> = new Promise((resolve) => this.process.once("exit", resolve));
  stdout = "";
  stderr = "";

  constructor() {
    this.process.stdout.on("data", (chunk) => (this.stdout += chunk));
    this.process.stderr.on("data", (chunk) => (this.stderr += chunk));
  }

  send(id: number, method: string, params: object): void {
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  }

  async begin(): Promise<void> {
    this.send(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1.0.0" } });
    await until(() => this.stdout.includes('"id":1'));
  }

  /** Resolves when it has ended. */
  async close(): Promise<void> {
    this.process.kill("SIGKILL");
    await this.exited;
  }
}

const start = async (): Promise<Application> => {
  const started = closeLater(new Application());
  await started.begin();
  return started;
};

describe("standard output", () => {
  it("holds nothing but the protocol, whatever the tools print; that goes to standard error", async () => {
    const started = await start();
    started.send(2, "tools/call", { name: "noisy", arguments: {} });
    await until(() => started.stdout.includes('"id":2'));
    const lines = started.stdout.trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2]);
    for (const noise of ["noise after the start", "noise of console.log", "noise of write"]) expect(started.stderr).toContain(noise);
  });
});

it("who stops serving has standard output back, and the process goes on", async () => {
  const started = await start();
  started.send(2, "tools/call", { name: "stop", arguments: {} });
  await until(() => started.stdout.endsWith("the application's own again\n"));
  expect(started.process.exitCode).toBeNull();
});

it("a client that doesn't read standard error doesn't end the process, whatever the tools print", async () => {
  const started = await start();
  started.process.stderr.destroy();
  for (let id = 2; id < 7; id += 1) {
    started.send(id, "tools/call", { name: "noisy", arguments: {} });
    await until(() => started.stdout.includes(`"id":${id}`));
    // The error of what was printed comes after the answer.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(started.process.exitCode).toBeNull();
});

describe("when standard input ends", () => {
  it("pending calls are aborted and the process ends", async () => {
    const started = await start();
    started.send(2, "tools/call", { name: "wait", arguments: {} });
    await until(() => started.stderr.includes("waiting"));
    started.process.stdin.end();
    expect(await started.exited).toBe(0);
    expect(started.stderr).toContain("aborted");
  });

  it("the process ends also if a tool left something that keeps it", async () => {
    const started = await start();
    started.send(2, "tools/call", { name: "hold", arguments: {} });
    await until(() => started.stderr.includes("holding"));
    started.process.stdin.end();
    expect(await started.exited).toBe(0);
  });

  it("a client that doesn't read any more doesn't crash it", async () => {
    const started = await start();
    started.process.stdout.destroy();
    started.send(2, "tools/list", {});
    started.send(3, "tools/list", {});
    started.process.stdin.end();
    expect(await started.exited).toBe(0);
    expect(started.stderr).not.toContain("EPIPE");
  });
});
