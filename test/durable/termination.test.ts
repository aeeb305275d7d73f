import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../support/code-blocks.js";
import { compileSources } from "../support/compile-sources.js";
import { testDirectory } from "../support/storage-programs.js";
import { until } from "../support/until.js";

const compiled = join(repositoryRoot, "build/test/durable");
beforeAll(() => compileSources(compiled, { till: join(__dirname, "programs/till.ts") }));

const directory = testDirectory("termination");

/** A process of the application. */
function till(stepFile: string) {
  const child = spawn(process.execPath, ["--no-warnings", join(compiled, "till.js"), join(directory, "runs"), stepFile]);
  const process_ = { child, said: "", exited: new Promise<number | null>((resolve) => child.once("close", resolve)) };
  child.stdout.on("data", (data) => (process_.said += data));
  child.stderr.on("data", (data) => (process_.said += data));
  return process_;
}

it("a process that gets SIGTERM during a call lets it end, exits with 0, and the next process ends the run without calling again", async () => {
  const stepFile = join(directory, "go on");
  const first = till(stepFile);
  await until(() => first.said.includes("pays"));
  first.child.kill("SIGTERM");
  await until(() => first.said.includes("drains"));
  writeFileSync(stepFile, "");
  expect(await first.exited).toBe(0);
  expect(first.said).toContain("has paid\n");
  expect(first.said).toContain('leaves [{"runId":"order-7","agent":"till","cutOff":false}]');

  const second = till(stepFile);
  expect(await second.exited).toBe(0);
  expect(second.said).toBe("ends: Thank you.\n");
}, 60_000);
