import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { sendEventStream } from "toolwright/web";
import { checks, slowAgent } from "./checks.js";
import type { Check } from "./readme.js";

/** With what needs a server of `node:http`. */
export const nodeChecks: readonly Check[] = [
  ...checks,
  {
    title: "sendEventStream to a client that left before",
    async run() {
      const { agent, ended } = slowAgent();
      const server = createServer((_, response) => {
        response.once("close", async () => {
          // The tool runs by then.
          const stream = agent().stream("Wait.");
          setTimeout(() => sendEventStream(stream, response), 50);
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
  },
];
