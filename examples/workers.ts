/**
 * Two workers on DBOS: the one that carries on a run is killed, and the other one finishes it. `npm run example -- workers` plays it with a
 * Postgres of its own, or that of DATABASE_URL. By hand, with Docker:
 *
 *   docker compose -f examples/workers/docker-compose.yml up
 *   npm run example -- workers/ask            (kill a worker meanwhile: docker kill workers-worker-1)
 */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startPostgres } from "../scripts/services.mjs";

const postgres = await startPostgres();

const begin = (program: string) => {
  // A package under DBOS uses a form of the package pg that is to be removed.
  const options = [...process.execArgv, "--no-deprecation", fileURLToPath(new URL(`workers/${program}.ts`, import.meta.url))];
  const child = spawn(process.execPath, options, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, DATABASE_URL: postgres.url },
  });
  child.stdout.pipe(process.stdout, { end: false });
  return child;
};
/** Waits until a process prints a text. */
const printed = (child: ChildProcess, wanted: string) =>
  new Promise<ChildProcess>((resolve) => {
    let text = "";
    child.stdout?.on("data", (data: Buffer) => {
      text += data.toString();
      if (text.includes(wanted)) resolve(child);
    });
  });
const ended = (child: ChildProcess) => new Promise((resolve) => child.once("close", resolve));

console.log("-- Two workers begin");
const workers = [begin("worker")];
for (const worker of workers) await printed(worker, "ready");
workers.push(begin("worker"));
await printed(workers[1] as ChildProcess, "ready");

console.log("\n-- A web server starts a run, and the worker that has it is killed");
const asking = begin("ask");
const busy = await Promise.race(workers.map((worker) => printed(worker, "packing")));
busy.kill("SIGKILL");
await ended(asking);

console.log("\n-- The other worker is drained");
for (const worker of workers) worker.kill("SIGTERM");
await Promise.all(workers.filter((worker) => worker !== busy).map(ended));
await postgres.stop();
