import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { takeStdout } from "../mcp/internal.js";
import { runCommandLine } from "./command-line.js";
import { exitCodes } from "./exit-codes.js";
import { type Host, write } from "./host.js";
import { importModule, recordLoadedFiles } from "./loader/register.js";
import { joinSupervisor } from "./studio/supervised.js";
import { superviseStudio, supervisedVariable } from "./studio/supervise.js";
import { nearestManifest } from "./modules/load-modules.js";

const { stdin, stdout, stderr } = process;
// What modules and tools print mustn't end up in what a program reads from this one.
const { stream, release } = takeStdout();
const output = Object.assign(stream, { isTTY: stdout.isTTY });
// Each write reports its error.
output.on("error", () => undefined);

const hooks = new URL("./loader/hooks.js", import.meta.url);
const host: Host = {
  input: stdin,
  output,
  errors: stderr,
  env: process.env,
  version: nearestManifest(dirname(fileURLToPath(import.meta.url)))?.version ?? "",
  directory: process.cwd(),
  studioPage: fileURLToPath(new URL("../../studio/", import.meta.url)),
  importModule: (path) => importModule(path, hooks),
  onInterrupt: (interrupt) => {
    const first = (): void => {
      process.on("SIGINT", second);
      interrupt();
    };
    const second = (): void => process.exit(exitCodes.interrupted);
    process.once("SIGINT", first);
    return () => void process.off("SIGINT", first).off("SIGINT", second);
  },
  releaseOutput: release,
};

let isDone = false;
/** Whether a studio answers: an error outside of a call mustn't take the page and its chats away. */
let isStudio = false;
process.on("uncaughtException", (error: unknown) => {
  const threw = isStudio
    ? "code of a module or of the studio threw outside of any call, and the studio goes on"
    : "code of a module threw outside of any call";
  stderr.write(`Error: ${threw}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  if (isStudio) return;
  isDone = true;
  process.exit(exitCodes.failed);
});
/** Node asks this when nothing is left that could go on, and not when code of a module ends the process. */
let waitsInVain = false;
process.on("beforeExit", () => {
  waitsInVain = true;
});
process.on("exit", () => {
  if (isDone) return;
  const reason = waitsInVain
    ? "code of a module waits for something that never comes."
    : "a module ended the process (process.exit) before the command was done.";
  stderr.write(`Error: ${reason}\n`);
  process.exitCode = exitCodes.failed;
});

/** Modules may leave servers, timers and connections open, which would keep the process. */
async function main(): Promise<void> {
  const exitCode = await runProgram(process.argv.slice(2));
  // What was written before is written then.
  await write(host, "").catch(() => undefined);
  isDone = true;
  process.exit(exitCode);
}

/** The studio runs in a process of its own, which another one can replace. */
async function runProgram(given: readonly string[]): Promise<number> {
  if (given[0] !== "studio") return runCommandLine(given, host);
  if (process.env[supervisedVariable] === undefined || process.send === undefined) return superviseStudio();
  delete process.env[supervisedVariable];
  const supervisor = await joinSupervisor(() => {
    isDone = true;
    process.exit(exitCodes.failed);
  });
  // Chats of the studio before would end with this process.
  isStudio = supervisor.kept !== undefined;
  const onListening = (): void => void (isStudio = true);
  const loadedFiles = recordLoadedFiles(hooks);
  return runCommandLine(given, { ...host, loadedFiles, supervisor, onListening, onInterrupt: supervisor.onInterrupt });
}

void main();
