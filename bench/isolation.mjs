/**
 * npm run bench:isolation
 *
 * Microseconds of a warm call of an isolated tool, one after another, beside the same tool in the application and a message to a thread
 * and a process and back, which no isolation can be faster than. Build first.
 */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

const file = fileURLToPath(import.meta.url);
if (!isMainThread) parentPort.on("message", (message) => parentPort.postMessage(message));
else if (process.send !== undefined) process.on("message", (message) => process.send(message));
else await measureAll();

async function measureAll() {
  const { ToolExecutor } = await import("toolwright/execution");
  await import("toolwright");
  const { InApplication, InProcess, InWorker } = await import("./isolation/tools.mjs");
  const executor = new ToolExecutor({ tools: [InApplication, InProcess, InWorker] });
  const calls = (tool) => async (value) => assert.equal((await executor.run(tool, { value })).doubled, value * 2);

  await report("a tool in the application", calls(InApplication));
  await report(
    "a message to a thread and back",
    echoOf(new Worker(file), (worker, value) => worker.postMessage({ value })),
  );
  await report('a tool in a "worker"', calls(InWorker), 200);
  await report(
    "a message to a process and back",
    echoOf(fork(file, { serialization: "advanced" }), (child, value) => child.send({ value })),
  );
  await report('a tool in a "process"', calls(InProcess));
  process.stdout.write(`load of the machine: ${loadavg()[0].toFixed(1)}\n`);
  process.exit(0);
}

function echoOf(target, send) {
  let answered;
  target.on("message", ({ value }) => answered(value));
  return async (value) => {
    const answer = new Promise((resolve) => (answered = resolve));
    send(target, value);
    assert.equal(await answer, value);
  };
}

async function report(name, call, goal) {
  for (let value = 0; value < 3_000; value += 1) await call(value);
  const times = [];
  for (let value = 0; value < 5_000; value += 1) {
    const start = performance.now();
    await call(value);
    times.push((performance.now() - start) * 1_000);
  }
  times.sort((one, other) => one - other);
  const at = (share) => Math.round(times[Math.floor(times.length * share)]);
  const verdict = goal === undefined ? "" : `, goal under ${goal}: ${at(0.5) < goal ? "met" : "not met"}`;
  process.stdout.write(`${name}: median ${at(0.5)} µs, 95 % ${at(0.95)} µs, least ${at(0)} µs${verdict}\n`);
}
