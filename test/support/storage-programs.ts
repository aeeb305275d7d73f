import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { repositoryRoot } from "./code-blocks.js";

/** A directory for the tests of a file, which is removed after them. */
export function testDirectory(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `${name}-`));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Compiles the room of storage to one file, which programs require in a fraction of the time that the sources take. */
export function compiledStorage(directory: string): string {
  const outfile = join(directory, "storage.cjs");
  buildSync({
    entryPoints: [join(repositoryRoot, "src/storage/index.ts")],
    bundle: true,
    platform: "node",
    packages: "external",
    format: "cjs",
    outfile,
    // `pg` and other packages are those of the repository.
    nodePaths: [join(repositoryRoot, "node_modules")],
  });
  return outfile;
}

/** A program with `storage` (the compiled room) and `say(value)`, which sends its parent a line of JSON. */
export class Program {
  readonly process: ChildProcess;
  #said = "";
  #failure = "";
  readonly ended: Promise<void>;

  constructor(storage: string, code: string, node = process.execPath) {
    const program = `const storage = require(${JSON.stringify(storage)});
      const say = (value) => require("node:fs").writeSync(1, JSON.stringify(value) + "\\n");
      (async () => { ${code} })().catch((error) => say({ name: error.name, message: error.message }));`;
    this.process = spawn(node, ["--no-warnings", "-e", program], { cwd: repositoryRoot, stdio: ["ignore", "pipe", "pipe"] });
    this.process.stdout?.on("data", (data: Buffer) => (this.#said += data.toString()));
    this.process.stderr?.on("data", (data: Buffer) => (this.#failure += data.toString()));
    this.ended = new Promise((resolve) => this.process.once("close", () => resolve()));
  }

  /** What it has said so far. */
  get said(): readonly unknown[] {
    const lines = this.#said.split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as unknown);
  }

  /** Waits until it has said as many lines. Throws if it ends before. */
  async hears(count: number): Promise<readonly unknown[]> {
    while (this.said.length < count) {
      const isOver = await Promise.race([this.ended.then(() => true), new Promise<false>((next) => setTimeout(next, 5, false))]);
      if (isOver && this.said.length < count) throw new Error(`The program said ${JSON.stringify(this.said)} and ended: ${this.#failure}`);
    }
    return this.said;
  }

  async kill(): Promise<void> {
    this.process.kill("SIGKILL");
    await this.ended;
  }
}
