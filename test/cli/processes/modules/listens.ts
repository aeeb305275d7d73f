import { createServer } from "node:http";
import { createTool } from "../../../../src/index.js";

// An application that starts its server and its jobs when it is loaded.
createServer().listen(0);
setInterval(() => undefined, 1_000);

export const ping = createTool("ping", "Answers. Use to see that it works.", { type: "object" }, () => "pong");
