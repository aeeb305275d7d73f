import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { mcpToolbox } from "toolwright/mcp";

const server = fork(fileURLToPath(new URL("hostile-mcp-server.mjs", import.meta.url)), { execArgv: [] });
const [host] = await once(server, "message");

/** What the server lists, or gives, from now on. */
export async function prepare(message) {
  server.send(message);
  await once(server, "message");
}

/** A toolbox of what it lists now. */
export const connect = () => mcpToolbox({ url: `http://${host}/mcp` }, { prefix: "hostile" });
