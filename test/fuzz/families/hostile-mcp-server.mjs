/**
 * An MCP server in a process of its own, so that what it costs isn't counted. Its parent sends `{ listed }`, the tools that it lists, or
 * `{ given }`, the answer to each call, with "@id@" in the place of the request's id; it sends back its `host` once, and `true` each time.
 */
import { bodyOf, localServer } from "./local-server.mjs";

let listed = [];
let given = "";
const host = await localServer(async (request, response) => {
  if (request.method !== "POST") return response.writeHead(405).end();
  const message = JSON.parse(await bodyOf(request));
  if (message.id === undefined) return response.writeHead(202).end();
  const answers = {
    initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "hostile", version: "1" } },
    "tools/list": { tools: listed },
  };
  const known = answers[message.method];
  const body =
    message.method === "tools/call"
      ? given.replace('"@id@"', JSON.stringify(message.id))
      : JSON.stringify({
          jsonrpc: "2.0",
          id: message.id,
          ...(known ? { result: known } : { error: { code: -32_601, message: "Unknown" } }),
        });
  return response.writeHead(200, { "content-type": "application/json" }).end(body);
});
process.on("message", (message) => {
  ({ listed = listed, given = given } = message);
  process.send(true);
});
process.on("disconnect", () => process.exit());
process.send(host);
