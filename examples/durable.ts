/**
 * A run that outlives its process: the first one starts it and is killed, the second one approves and finishes it.
 * `npm run example -- durable` plays both; by hand, in two terminals:
 *
 *   npm run example -- durable/start ./runs     (end it with Ctrl+C while the run waits)
 *   npm run example -- durable/approve ./runs
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const directory = mkdtempSync(join(tmpdir(), "runs-"));

const begin = (program: string) =>
  spawn(process.execPath, [...process.execArgv, fileURLToPath(new URL(`durable/${program}.ts`, import.meta.url)), directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });

console.log("-- The first process starts the run, and is killed while the run waits");
const first = begin("start");
for await (const text of first.stdout) {
  process.stdout.write(text);
  first.kill("SIGKILL");
}

console.log("\n-- The second process approves");
for await (const text of begin("approve").stdout) process.stdout.write(text);

console.log("\n-- A third one finds nothing to decide");
for await (const text of begin("approve").stdout) process.stdout.write(text);
rmSync(directory, { recursive: true });
