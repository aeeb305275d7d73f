import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, parse } from "node:path";
import { repositoryRoot } from "../../support/code-blocks.js";
import { compileSources } from "../../support/compile-sources.js";

const folder = join(repositoryRoot, "build/test/cli");

/** The program of the command line. */
export const program = join(folder, "cli/main.js");

/** The directory with modules/, compiled. */
export const modules = join(folder, "modules");

/** Compiles the program, and modules/ with the same copy of the library. */
export function compileProgram(): void {
  const { name, version } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as { name: string; version: string };
  const entries = ["cli/main", "cli/run", "cli/loader/hooks"].map((entry) => [entry, join(repositoryRoot, `src/${entry}.ts`)]);
  const tested = readdirSync(join(__dirname, "modules")).map((file) => [`modules/${parse(file).name}`, join(__dirname, "modules", file)]);
  compileSources(folder, Object.fromEntries([...entries, ...tested]), { name, version });
}

/** A command that runs as a process, in a directory. */
export class Running {
  readonly process: ChildProcessWithoutNullStreams;
  readonly exited: Promise<number | null>;
  output = "";
  errors = "";

  constructor(given: readonly string[], cwd: string = modules) {
    this.process = spawn(process.execPath, [program, ...given], { cwd });
    this.process.stdout.on("data", (piece) => (this.output += piece));
    this.process.stderr.on("data", (piece) => (this.errors += piece));
    this.exited = new Promise((resolve) => this.process.once("close", resolve));
  }

  kill(): Promise<number | null> {
    this.process.kill("SIGKILL");
    return this.exited;
  }
}

/** Runs a command to its end. */
export async function ran(given: readonly string[], cwd?: string) {
  const running = new Running(given, cwd);
  running.process.stdin.end();
  const exitCode = await running.exited;
  return { exitCode, output: running.output, errors: running.errors };
}
