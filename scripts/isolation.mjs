/**
 * npm run isolation [-- --times 1000]
 *
 * Lets isolated tools hang, crash, exit, print and fill their memory, each time in a run of an agent, and checks that the run goes on,
 * that the model reads what happened, and that nothing stays: processes, threads, files or listeners. At last it kills an application
 * with SIGKILL while its tools loop. The last line is the verdict. It tries the package that was built.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Agent, model, usesTools } from "toolwright";
import { ScriptedModel } from "toolwright/models";
import { HangsInProcess, HangsInWorker, InProcess, InWorker, mark } from "./isolation/tools.mjs";

const { values: options } = parseArgs({
  options: { times: { type: "string", default: "1000" }, victim: { type: "boolean", default: false } },
});
const times = Number(options.times);
// So that the memory of a process is full at once.
process.env.NODE_OPTIONS = "--max-old-space-size=96";

/** What the model must read. */
const timedOut = /^Tool execution timed out after 2000 ms/;
const cases = [
  { tool: HangsInWorker, deed: "loop", told: timedOut },
  { tool: HangsInProcess, deed: "loop", told: timedOut },
  { tool: HangsInWorker, deed: "expression", told: timedOut },
  { tool: HangsInProcess, deed: "expression", told: timedOut },
  { tool: InWorker, deed: "exit", told: /worker ended with exit code 3 before/ },
  { tool: InProcess, deed: "exit", told: /process ended with exit code 3 before/ },
  { tool: InWorker, deed: "print", told: /^printed$/ },
  { tool: InProcess, deed: "print", told: /^printed$/ },
  { tool: InWorker, deed: "timer", told: /threw outside of its call: from a timer/ },
  { tool: InProcess, deed: "timer", told: /threw outside of its call: from a timer/ },
  { tool: InProcess, deed: "memory", told: /crashed \(SIGABRT\), most likely because its memory was full/ },
  { tool: InProcess, deed: "huge allocation", told: /crashed \(SIGABRT\), most likely because its memory was full/ },
  { tool: HangsInProcess, deed: "start and loop", told: timedOut },
  { tool: HangsInWorker, deed: "wait for ever", told: timedOut },
  { tool: HangsInProcess, deed: "wait for ever", told: timedOut },
];

if (options.victim) {
  // Its tools loop until somebody kills it.
  const calls = [InWorker, InProcess, InProcess].map((tool) => runOf({ tool, deed: "loop" }, Number.POSITIVE_INFINITY));
  process.stdout.write("ready\n");
  await Promise.all(calls);
}

function runOf({ tool, deed }) {
  const scripted = new ScriptedModel([{ toolCalls: [{ name: tool.identifier, arguments: JSON.stringify({ deed }) }] }, "The run went on."]);
  class SomeAgent extends Agent {}
  model(scripted)(SomeAgent);
  usesTools([tool])(SomeAgent);
  return new SomeAgent().generate("Do it.");
}

const processes = () => {
  const { stdout } = spawnSync("ps", ["-eo", "pid,ppid,args"], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.includes("isolation/far-side") || line.includes(mark));
};
const threads = () => readdirSync("/proc/self/task").length;
const files = () =>
  readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      return [readlinkSync(`/proc/self/fd/${name}`)];
    } catch {
      return [];
    }
  }).length;

const faults = [];
const folder = mkdtempSync(join(tmpdir(), "isolation-"));
process.chdir(folder);
const started = performance.now();
let before;
for (let index = 0; index < times; index += 4) {
  const batch = Array.from({ length: Math.min(4, times - index) }, (_, place) => cases[(index + place) % cases.length]);
  await Promise.all(
    batch.map(async (one) => {
      const response = await runOf(one);
      const told = response.messages.find(({ role }) => role === "tool")?.content;
      const isRight = response.text === "The run went on." && one.told.test(String(told));
      if (!isRight) faults.push(`${one.tool.name} ${one.deed}: ${response.text}; the model read: ${told}`);
    }),
  );
  // The first rounds start what stays for later calls.
  if (index === 60) before = { threads: threads(), files: files(), exit: process.listenerCount("exit") };
  if (index % 100 === 0) process.stderr.write(`${index} of ${times}, ${faults.length} faults\n`);
}
const seconds = Math.round((performance.now() - started) / 1_000);
await sleep(1_500);
const after = { threads: threads(), files: files(), exit: process.listenerCount("exit") };
const orphans = processes().filter((line) => line.includes(mark));
const own = processes().filter((line) => line.includes("far-side"));
if (orphans.length > 0) faults.push(`processes of tools stayed: ${orphans.join("; ")}`);
if (own.length > 4) faults.push(`${own.length} idle processes stayed, more than the pool has`);
if (readdirSync(folder).length > 0) faults.push(`files stayed: ${readdirSync(folder).join(", ")}`);
for (const name of ["threads", "files", "exit"]) {
  if (before !== undefined && after[name] > before[name] + 8) faults.push(`${name}: ${before[name]} before, ${after[name]} after`);
}

// An application that is killed takes what it started with it.
const victim = spawn(process.execPath, [new URL(import.meta.url).pathname, "--victim"], { stdio: ["ignore", "pipe", "ignore"] });
await new Promise((resolve) => victim.stdout.once("data", resolve));
await sleep(600);
const alive = processes().filter((line) => line.split(/\s+/).includes(String(victim.pid)));
victim.kill("SIGKILL");
await sleep(3_000);
const left = processes().filter((line) => line.includes(`far-side.js ${victim.pid}`));
if (alive.length === 0) faults.push("the application that was to be killed had no processes");
if (left.length > 0) faults.push(`processes of a killed application stayed: ${left.join("; ")}`);

process.chdir("/");
rmSync(folder, { recursive: true });
for (const fault of faults.slice(0, 20)) process.stdout.write(`${fault}\n`);
process.stdout.write(
  `${times} runs in ${seconds} s; threads ${before?.threads} to ${after.threads}, open files ${before?.files} to ${after.files}, ` +
    `${own.length} idle processes, a killed application had ${alive.length} and left ${left.length}: ` +
    `${faults.length === 0 ? "nothing stayed, each model read what happened" : `${faults.length} faults`}\n`,
);
process.exit(faults.length === 0 ? 0 : 1);
