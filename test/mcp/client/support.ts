import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import {
  type McpServerCommand,
  type McpToolbox,
  type McpToolboxOptions,
  mcpToolbox,
  type McpServerAddress,
} from "../../../src/mcp/index.js";
import type { ToolClass } from "../../../src/index.js";

const hostileServer = join(__dirname, "hostile-server.mjs");

/** A server that does what the scenario says; `file` is where it notes what it was told. */
export const hostile = (scenario: string, file?: string): McpServerCommand => ({
  command: process.execPath,
  args: [hostileServer, "stdio", scenario, ...(file === undefined ? [] : [file])],
});

const cleanups: (() => Promise<unknown> | unknown)[] = [];

/** Ends what a test began: `afterEach(endAll)`. */
export async function endAll(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

// What no test ended would hold up the end of jest.
afterAll(endAll);

export const atEnd = (cleanup: () => Promise<unknown> | unknown): void => {
  cleanups.push(cleanup);
};

/** A toolbox that is closed at the test's end. */
export async function open(server: McpServerAddress, options: Partial<McpToolboxOptions> = {}): Promise<McpToolbox> {
  const toolbox = await mcpToolbox(server, { prefix: "box", ...options });
  atEnd(() => toolbox.close());
  return toolbox;
}

/** The thread of all servers over HTTP that a test file uses: starting one takes longer than most tests. */
let thread: Worker | undefined;
let servers = 0;
afterAll(() => thread?.terminate());

/** The URL of a server of that scenario. */
export async function hostileUrl(scenario: string, file?: string): Promise<string> {
  const number = String(++servers);
  const host = (thread ??= startedThread());
  const url = await new Promise<string | undefined>((resolve) => {
    host.on("message", (started) => started.number === number && resolve(started.url));
    // The server of another test ended it.
    host.once("exit", () => resolve(undefined));
    host.postMessage({ number, scenario, ...(file !== undefined && { file }) });
  });
  return url ?? hostileUrl(scenario, file);
}

function startedThread(): Worker {
  const started = new Worker(hostileServer).setMaxListeners(0);
  started.once("exit", () => {
    if (thread === started) thread = undefined;
  });
  return started;
}

/** The same as an address. Only tests of pipes and of notifications need a process. */
export const hostileAddress = async (scenario: string): Promise<McpServerAddress> => ({ url: await hostileUrl(scenario) });

/** The path of a file that isn't there yet. */
export function newFile(): string {
  const directory = mkdtempSync(join(tmpdir(), "mcp-client-"));
  atEnd(() => rmSync(directory, { recursive: true }));
  return join(directory, "file.json");
}

/** The tool that the server names so. */
export function tool(toolbox: McpToolbox, name: string): ToolClass {
  const found = toolbox.tools.find(({ identifier }) => identifier === `${toolbox.name}_${name}`);
  if (found === undefined) throw new Error(`There is no ${name} among ${toolbox.tools.map(({ identifier }) => identifier).join(", ")}.`);
  return found;
}

/** What is warned of while the test runs. */
export function warnings(): string[] {
  const told: string[] = [];
  const spy = jest.spyOn(process, "emitWarning").mockImplementation((warning) => {
    told.push(String(warning));
  });
  atEnd(() => spy.mockRestore());
  return told;
}
