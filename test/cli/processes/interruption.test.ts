import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning } from "../../isolation/support.js";
import { until } from "../../support/until.js";
import { compileProgram, ran, Running } from "./program.js";

beforeAll(compileProgram);

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "toolwright-interruption-"));
});

const filesOfInit = ["init", "shop", "--yes"];

it("Ctrl-C during init leaves all files or none", async () => {
  const whole = (await ran(filesOfInit, directory)).exitCode === 0 ? readdirSync(join(directory, "shop"), { recursive: true }) : [];
  expect(whole.length).toBeGreaterThan(5);
  // From the start of the process until it has ended by itself.
  for (let delay = 0; delay <= 300; delay += 30) {
    const folder = mkdtempSync(join(directory, "interrupted-"));
    const running = new Running(filesOfInit, folder);
    await sleep(delay);
    running.process.kill("SIGINT");
    await running.exited;
    const left = readdirSync(folder, { recursive: true }).filter((name) => name !== "shop");
    expect([[], whole.map((name) => join("shop", String(name)))]).toContainEqual(left);
  }
});

it("Ctrl-C during import mcp stops the server, and writes nothing", async () => {
  // It answers nothing, and ends by no closed input.
  writeFileSync(
    join(directory, "server.cjs"),
    'require("node:fs").writeFileSync("started", String(process.pid)); setInterval(() => undefined, 1_000);',
  );
  const running = new Running(["import", "mcp", "--name", "silent", "--", process.execPath, "server.cjs"], directory);
  const pid = () => Number(readdirSync(directory).includes("started") ? readFileSync(join(directory, "started"), "utf8") : 0);
  await until(() => pid() > 0);
  running.process.kill("SIGINT");
  expect(await running.exited).toBe(130);
  expect(running.errors).toBe("Error: Interrupted.\n");
  await until(() => !isRunning(pid()));
  expect(readdirSync(directory).sort()).toEqual(["server.cjs", "started"]);
});
