import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { bundleApplication } from "../bundle-application.js";

let application: string;
const server = join(__dirname, "hostile-server.mjs");

beforeAll(() => {
  application = bundleApplication(join(__dirname, "application.ts"), "mcp-client-application.cjs");
});

interface Running {
  readonly child: ChildProcess;
  /** Of the server. */
  readonly pid: number;
  readonly ended: Promise<unknown>;
}

async function start(scenario: string, way: string): Promise<Running> {
  const child = spawn(process.execPath, [application, server, scenario, way], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const pid = await new Promise<number>((resolve) => child.stdout?.once("data", (chunk: Buffer) => resolve(Number(chunk.toString()))));
  return { child, pid, ended };
}

/** A process that has ended, but that nobody has asked for, has the state Z. */
const runs = (pid: number): boolean =>
  /^[^Z\s]/.test(spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim());

async function gone(pid: number): Promise<boolean> {
  const deadline = Date.now() + 25_000;
  while (runs(pid) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  return !runs(pid);
}

describe("the process of a server", () => {
  it.each(["SIGTERM", "SIGKILL", "SIGINT"] as const)("ends with an application that %s kills", async (signal) => {
    const { child, pid, ended } = await start("plain_process", "stay");
    expect(runs(pid)).toBe(true);
    child.kill(signal);
    await ended;
    expect(await gone(pid)).toBe(true);
  });

  it.each(["exit", "crash"])(
    "ends with an application that ends by %s, even one that doesn't listen for the end of its input",
    async (way) => {
      const { pid, ended } = await start("deaf", way);
      await ended;
      expect(await gone(pid)).toBe(true);
    },
  );

  it.each(["plain_process", "deaf", "stubborn"])(
    "ends by close(), and the application with it (%s)",
    async (scenario) => {
      const { child, pid, ended } = await start(scenario, "close");
      await ended;
      expect(child.exitCode).toBe(0);
      expect(await gone(pid)).toBe(true);
    },
    15_000,
  );
});
