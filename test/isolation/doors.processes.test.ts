import { spawn } from "node:child_process";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import "../../src/index.js";
import { doors } from "../doors/doors.js";
import { clientOf, closeAll, textOf } from "../mcp/server/support.js";
import { until } from "../support/until.js";
import { DoInProcess, DoInWorker, QuickInWorker } from "./modules/tools.js";
import { compiledTools, compileTools, isRunning } from "./support.js";

beforeAll(compileTools);
afterEach(closeAll);

const calls = [
  { tool: DoInProcess, arguments: { what: "exit" } },
  { tool: QuickInWorker, arguments: { what: "loop" } },
  { tool: DoInWorker, arguments: { what: "hello" } },
  { tool: DoInProcess, arguments: { what: "text" } },
];

it.each(doors)("through the door $name, a model reads how isolated tools ended, and goes on", async ({ run }) => {
  const told = await run([DoInProcess, QuickInWorker, DoInWorker], calls);
  expect(told).toHaveLength(4);
  expect(told[0]).toContain("The tool's process ended with exit code 3 before the call did.");
  expect(told[1]).toContain("timed out after 300 ms");
  expect(told.slice(2)).toEqual(["hello", "plain"]);
});

it("over stdio, what isolated tools print doesn't come between the messages of an MCP server", async () => {
  const client = clientOf("2026-07-28");
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [join(compiledTools, "stdio-server.js")], stderr: "ignore" }),
  );
  for (const name of [DoInWorker.identifier, DoInProcess.identifier]) {
    expect(textOf(await client.callTool({ name, arguments: { what: "print" } }))).toBe("quiet");
  }
});

it("processes end with an application that is killed, also in an endless loop, and so do those that they started", async () => {
  const application = spawn(process.execPath, [join(compiledTools, "busy-application.js")], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  application.stdout.on("data", (data: Buffer) => (said += data.toString()));
  await until(() => said.includes("\n"));
  const { child, own } = JSON.parse(said) as { readonly child: number; readonly own: number };
  expect([child, own].map(isRunning)).toEqual([true, true]);
  application.kill("SIGKILL");
  await until(() => !isRunning(child) && !isRunning(own));
});
