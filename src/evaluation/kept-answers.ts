import { appendFileSync, closeSync, openSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChatRequest, ChatResponse } from "../models/index.js";
import { sha256 } from "../platform/index.js";
import { canonicalText, isRecord } from "../schema/internal.js";
import { EvaluationError } from "./evaluation-error.js";

/** An answer of a model, and how long it took. */
export interface TimedAnswer {
  readonly response: ChatResponse;
  /** Milliseconds that the model took, now or when the answer was kept. */
  readonly milliseconds: number;
  /** True if it was kept, and the model wasn't asked. */
  readonly kept: boolean;
}

type KeptAnswer = Omit<TimedAnswer, "kept">;

/**
 * Answers of models in a folder, so that no request is sent twice. Each is written before anything is done with it. A line that an
 * interruption cut off is skipped: its request is sent again.
 */
export class KeptAnswers {
  readonly #path: string;
  readonly #answers: Map<string, KeptAnswer>;
  /** Requests that are being answered: equal ones wait for the same answer. */
  readonly #open = new Map<string, Promise<TimedAnswer>>();
  /** Written before the next line: the file may end in the middle of one. */
  #separator: string;
  #file: number | undefined;
  #isClosed = false;

  private constructor(path: string, text: string) {
    this.#path = path;
    this.#answers = new Map(text.split("\n").flatMap(readLine));
    this.#separator = text === "" || text.endsWith("\n") ? "" : "\n";
  }

  /** Throws `EvaluationError` if the folder can't be used. */
  static async open(folder: string): Promise<KeptAnswers> {
    const path = join(folder, "answers.jsonl");
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return new KeptAnswers(path, await readFile(path, "utf8").catch(emptyIfMissing));
    } catch (error) {
      throw new EvaluationError(`The answers can't be read from ${path}: ${(error as Error).message}. Give another folder.`, {
        cause: error,
      });
    }
  }

  /** The kept answer of a request, or the one that `ask` gets, which is kept. What `ask` throws isn't. */
  answer(request: ChatRequest, modelId: string, repetition: number, ask: () => Promise<ChatResponse>): Promise<TimedAnswer> {
    const key = digest(request, modelId, repetition);
    const known = this.#answers.get(key);
    if (known !== undefined) return Promise.resolve({ ...known, kept: true });
    const open = this.#open.get(key);
    if (open !== undefined) return open.then((answer) => ({ ...answer, kept: true }));
    const asking = this.#ask(key, ask).finally(() => this.#open.delete(key));
    this.#open.set(key, asking);
    return asking;
  }

  async #ask(key: string, ask: () => Promise<ChatResponse>): Promise<TimedAnswer> {
    const answer = await timed(ask);
    this.#answers.set(key, answer);
    const { response, milliseconds } = answer;
    this.#append(`${JSON.stringify({ key, milliseconds: Math.round(milliseconds), response })}\n`);
    return { ...answer, kept: false };
  }

  /** Writes at once: the process may be killed while it waits for `fs/promises`, which takes ten times as long. */
  #append(line: string): void {
    const text = this.#separator + line;
    // A full disk may take a part of the line.
    this.#separator = "\n";
    try {
      if (!this.#isClosed) this.#file ??= openSync(this.#path, "a", 0o600);
      appendFileSync(this.#file ?? this.#path, text, { mode: 0o600 });
      this.#separator = "";
    } catch (error) {
      throw new EvaluationError(
        `An answer can't be kept in ${this.#path}: ${(error as Error).message}. Free some space, or give another folder; answers that were kept aren't asked for again.`,
        { cause: error },
      );
    }
  }

  /** An answer that comes later, of a run that was aborted, is kept all the same. */
  close(): void {
    this.#isClosed = true;
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

/** Asks a model, and measures how long it takes. */
export async function timed(ask: () => Promise<ChatResponse>): Promise<KeptAnswer> {
  const start = performance.now();
  const response = await ask();
  return { response, milliseconds: performance.now() - start };
}

function emptyIfMissing(error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
  throw error;
}

function readLine(line: string): readonly (readonly [string, KeptAnswer])[] {
  try {
    const { key, response, milliseconds }: Readonly<Record<string, unknown>> = JSON.parse(line);
    if (typeof key !== "string" || typeof milliseconds !== "number" || !isRecord(response)) return [];
    // This class wrote it.
    return [[key, { response: response as unknown as ChatResponse, milliseconds }]];
  } catch {
    return [];
  }
}

/** What a request is asked anew for: model, options, tools, messages and repetition. */
const digest = ({ messages, tools, options, toolChoice, responseFormat }: ChatRequest, modelId: string, repetition: number): string =>
  sha256(canonicalText({ modelId, repetition, tools: digestOfTools(tools), messages, options, toolChoice, responseFormat }));

/** Most agents have one list of tools. If tools depend on the context, there are many lists, of the same parameters. */
const digestOfTools = remembering((tools: ChatRequest["tools"]) =>
  sha256(canonicalText(tools.map(({ parameters, ...tool }) => ({ ...tool, parameters: digestOfParameters(parameters) })))),
);

const digestOfParameters = remembering((parameters: ChatRequest["tools"][number]["parameters"]) => sha256(canonicalText(parameters)));

function remembering<Key extends object>(compute: (key: Key) => string): (key: Key) => string {
  const known = new WeakMap<Key, string>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = compute(key)));
    return value;
  };
}
