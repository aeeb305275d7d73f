import "../../../src/index.js";
import { serveMcp } from "../../../src/mcp/index.js";
import { DoInProcess, DoInWorker } from "./tools.js";

/** A process that serves isolated tools over stdio. */
void serveMcp({ name: "shop", version: "1.0.0", tools: [DoInWorker, DoInProcess], transport: "stdio" });
