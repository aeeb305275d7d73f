import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type McpServerAddress, type McpToolboxOptions, mcpToolbox } from "../../../src/mcp/index.js";
import { invokeTool } from "../../../src/testing/index.js";
import { hostile } from "../../mcp/client/support.js";
import { type Example, type Examples, errorOf, type Met, warningOf } from "./example.js";

/** The errors of a server named "files", when its tools of these names are called one after the other. */
async function callsOf(server: McpServerAddress, names: readonly string[], options: Partial<McpToolboxOptions> = {}): Promise<Met> {
  const toolbox = await mcpToolbox(server, { prefix: "files", ...options });
  try {
    const tools = names.map((name) => toolbox.tools.find(({ identifier }) => identifier === `files_${name}`));
    return await errorOf(async () => {
      for (const tool of tools) if (tool !== undefined) await invokeTool(tool, { text: "hello" });
    }).then(({ cause }) => cause as Error);
  } finally {
    await toolbox.close();
  }
}

/** Where nothing listens any more. */
async function deadUrl(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/mcp`;
}

/** A server over HTTP that answers everything with a status. */
async function refusal(status: number): Promise<Met> {
  const server = createServer((_, response) => response.writeHead(status).end()).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const { name, message } = await errorOf(() => mcpToolbox({ url: `http://127.0.0.1:${port}/mcp` }, { prefix: "files" }));
    return { name, message: message.replace(`:${port}`, ":3000") };
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The errors of tools of MCP servers. */
export const mcpErrors: Examples<"McpError"> = {
  McpError: [
    () => errorOf(() => mcpToolbox({ command: "no-such-program" }, { prefix: "files" })),
    async () => {
      const url = await deadUrl();
      const { name, message } = await errorOf(() => mcpToolbox({ url }, { prefix: "files" }));
      return { name, message: message.replace(new URL(url).origin, "http://127.0.0.1:3000") };
    },
    () => refusal(401),
    () => refusal(404),
    () => callsOf(hostile("modern"), ["ask"]),
    () => callsOf(hostile("calls"), ["die"]),
    async () => {
      const silenced = jest.spyOn(process, "emitWarning").mockImplementation();
      try {
        return await callsOf(hostile("calls"), ["change_silently", "echo"], { settings: () => ({ requiresConfirmation: true }) });
      } finally {
        silenced.mockRestore();
      }
    },
  ],
};

/** A server that lists tools which can't be used. */
export const mcpToolWarnings: readonly Example[] = [
  () =>
    warningOf(async () => {
      await (await mcpToolbox(hostile("twins"), { prefix: "files" })).close();
    }),
];
