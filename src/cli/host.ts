import type { Writable } from "node:stream";
import { CommandError, exitCodes } from "./exit-codes.js";
import type { LoadedFile } from "./loader/loaded-files.js";
import type { Supervisor } from "./studio/supervised.js";

/** A stream that may be a terminal. */
interface MaybeTerminal {
  readonly isTTY?: boolean;
}

/** The process as commands see it: tests give another one. */
export interface Host {
  readonly input: NodeJS.ReadableStream & MaybeTerminal;
  /** Holds what the command was asked for, and nothing else: what modules print goes to `errors`. */
  readonly output: Writable & MaybeTerminal;
  /** Progress, questions and errors. */
  readonly errors: NodeJS.WritableStream & MaybeTerminal & { readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The version of this package. */
  readonly version: string;
  /** The directory that paths are relative to. */
  readonly directory: string;
  /** The folder of the studio's built page. */
  readonly studioPage: string;
  /** Loads a module by its absolute path. */
  importModule(path: string): Promise<unknown>;
  /** The files of the application that were loaded: modules, and what they import. Absent: they aren't recorded. */
  loadedFiles?(): readonly LoadedFile[];
  /** From now on Ctrl-C calls `interrupt` instead of ending the process; a second one ends it. Returns a function that undoes this. */
  onInterrupt(interrupt: () => void): () => void;
  /** Starts the studio in another process, to load changed modules. Absent: it is to be started again by hand. */
  readonly supervisor?: Supervisor;
  /** Called once a server answers that an error outside of any call mustn't end. */
  onListening?(): void;
  /** Gives standard output to a protocol: it is no longer kept from what modules print. */
  releaseOutput(): void;
}

/** Whether a person can be asked. */
export const canAsk = ({ input, errors }: Host): boolean => input.isTTY === true && errors.isTTY === true;

/** See https://no-color.org. */
const wantsColour = ({ env }: Host, stream: MaybeTerminal): boolean =>
  stream.isTTY === true && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";

/** Functions that colour a text for a stream, or leave it as it is. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
}

export function paintFor(host: Host, stream: MaybeTerminal): Paint {
  const isColoured = wantsColour(host, stream);
  const between = (start: number, end: number) => (text: string) => (isColoured ? `\u001b[${start}m${text}\u001b[${end}m` : text);
  return { bold: between(1, 22), dim: between(2, 22), red: between(31, 39), yellow: between(33, 39), green: between(32, 39) };
}

/** Writes, and waits until it is written: a process that ends may lose the end of a pipe. */
export function write({ output }: Pick<Host, "output">, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

export const writeLine = (host: Pick<Host, "output">, text: string): Promise<void> => write(host, `${text}\n`);

/** Waits for work, and rejects on Ctrl-C. Child processes that the work has started end with this one. */
export async function interruptible<Value>(host: Host, work: () => Promise<Value>): Promise<Value> {
  let restore = (): void => undefined;
  const interrupted = new Promise<never>((_, reject) => {
    restore = host.onInterrupt(() => reject(new CommandError("Interrupted.", exitCodes.interrupted)));
  });
  try {
    return await Promise.race([work(), interrupted]);
  } finally {
    restore();
  }
}

/** A value as JSON, indented: people read it too. */
export const writeJson = (host: Pick<Host, "output">, value: unknown): Promise<void> =>
  writeLine(host, JSON.stringify(value, undefined, 2));
