import { PassThrough, Writable } from "node:stream";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { runCommandLine } from "../../src/cli/command-line.js";
import type { Host } from "../../src/cli/host.js";
import type { LoadedFile } from "../../src/cli/loader/loaded-files.js";

export const fixtures = join(__dirname, "fixtures");

export interface Ran {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
}

export interface RunOptions {
  /** The lines that are typed or piped. */
  readonly input?: string;
  /** Whether input and errors are a terminal. */
  readonly isTerminal?: boolean;
  readonly env?: Host["env"];
  readonly directory?: string;
  /** Receives the function that Ctrl-C would call. */
  readonly onInterrupt?: (interrupt: () => void) => void;
  /** Receives all that was printed, whenever something was. */
  readonly onOutput?: (text: string) => void;
}

/** Runs a command in this process, on the modules of fixtures/. */
export async function toolwright(given: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { input = "", isTerminal = false, env = {}, directory = fixtures, onInterrupt, onOutput } = options;
  const output = new Collected();
  output.on("written", () => onOutput?.(output.text));
  const errors = Object.assign(new Collected(), { isTTY: isTerminal, columns: 80, rows: 40 });
  const typed = Object.assign(new PassThrough(), { isTTY: isTerminal });
  if (isTerminal) typeInTurns(typed, errors, input.split("\n"));
  else typed.end(input);
  const loaded: LoadedFile[] = [];
  const host: Host = {
    input: typed,
    output,
    errors,
    env,
    version: "1.2.3",
    directory,
    studioPage: fixtures,
    importModule: async (path) => {
      loaded.push({ path, at: Date.now() });
      return require(path) as unknown;
    },
    loadedFiles: () => loaded,
    onInterrupt: (interrupt) => {
      onInterrupt?.(interrupt);
      return () => undefined;
    },
    releaseOutput: () => undefined,
  };
  const exitCode = await runCommandLine(given, host);
  typed.destroy();
  return { exitCode, output: output.text, errors: errors.text };
}

/** The parsed output. */
export async function toolwrightJson(
  given: readonly string[],
  options?: RunOptions,
): Promise<{ readonly exitCode: number; readonly json: any }> {
  const { exitCode, output } = await toolwright(given, options);
  return { exitCode, json: JSON.parse(output) };
}

class Collected extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    this.emit("written");
    done();
  }
}

/** A person types the next line when a question stands there. */
function typeInTurns(typed: PassThrough, errors: Collected, lines: readonly string[]): void {
  const left = [...lines];
  errors.on("written", () => {
    if (!/(: |\? )$/.test(stripVTControlCharacters(errors.text)) || left.length === 0) return;
    const line = left.shift() as string;
    setTimeout(() => typed.write(`${line}\r`), 60);
  });
}
