/** A process that carries on the runs of a directory, and ends by SIGTERM as docs/20-runtimes.md shows it. */
import { existsSync, writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Agent, createTool, identifier, model, usesTools } from "../../../src/index.js";
import { InProcessRuntime } from "../../../src/durable/index.js";
import { FileStorage } from "../../../src/storage/index.js";
import { ScriptedModel } from "../../../src/testing/index.js";

const [directory = "", stepFile = ""] = process.argv.slice(2);
const say = (text: string): void => void writeSync(1, `${text}\n`);

const pay = createTool({
  name: "pay",
  description: "Pays. Use to test.",
  inputSchema: { type: "object" },
  effect: "once",
  timeout: 60_000,
  execute: async () => {
    say("pays");
    while (!existsSync(stepFile)) await pause(10);
    say("has paid");
    return "Paid.";
  },
});

class TillAgent extends Agent {}
identifier("till")(TillAgent);
model({
  id: "test/till",
  // A function of the history: the process that goes on has no script of what was before.
  generate: (request) => {
    const isFirst = request.messages.every(({ role }) => role !== "assistant");
    return new ScriptedModel([isFirst ? { toolCalls: [{ name: "pay" }] } : "Thank you."]).generate(request);
  },
})(TillAgent);
usesTools([pay])(TillAgent);

const storage = new FileStorage(directory);
const runtime = new InProcessRuntime({ storage, agents: [TillAgent] });
process.once("SIGTERM", async () => {
  say("drains");
  const { left } = await runtime.drain({ deadline: 20_000 });
  await storage.close();
  say(`leaves ${JSON.stringify(left)}`);
});
await runtime.start("till", "Pay", { runId: "order-7" });
const { text } = await runtime.result("order-7").catch((error: Error) => ({ text: error.name }));
say(`ends: ${text}`);
if (text === "Thank you.") {
  await runtime.drain();
  await storage.close();
}
