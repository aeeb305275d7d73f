import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { threadId } from "node:worker_threads";
import type { ToolClass } from "toolwright";
import { ToolExecutor } from "toolwright/execution";
import { sendEventStream, sendUiMessageStream } from "toolwright/web";
import { checks, slowAgent } from "./checks.js";
import type { Check } from "./readme.js";

/** The run of a client that left before its stream was sent ends. */
const clientThatLeft = (title: string, send: typeof sendEventStream): Check => ({
  title,
  async run() {
    const { agent, ended } = slowAgent();
    const server = createServer((_, response) => {
      response.once("close", async () => {
        // The tool runs by then.
        const stream = agent().stream("Wait.");
        setTimeout(() => send(stream, response), 50);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const client = request({ port: (server.address() as AddressInfo).port, method: "POST" });
    client.on("error", () => {});
    client.end();
    await new Promise((resolve) => server.once("request", resolve));
    client.destroy();
    try {
      await ended();
    } finally {
      server.closeAllConnections();
      server.close();
    }
    return undefined;
  },
});

/** With what needs servers and threads of Node. */
export const nodeChecks: readonly Check[] = [
  ...checks,
  clientThatLeft("sendEventStream to a client that left before", sendEventStream),
  clientThatLeft("sendUiMessageStream to a client that left before", sendUiMessageStream),
  {
    title: "A tool in a worker thread",
    async run() {
      const file = pathToFileURL("isolated.mjs").href;
      const { ThreadTool } = (await import(/* webpackIgnore: true */ /* @vite-ignore */ file)) as { ThreadTool: ToolClass };
      assert.notEqual(await new ToolExecutor({ tools: [ThreadTool] }).run("thread", {}), threadId);
      return undefined;
    },
  },
];
