import type { AgentClass } from "../agent/index.js";
import { isAgentClass } from "../agent/internal.js";
import type { Container } from "../execution/index.js";
import { type ModelReference, resolveModel } from "../models/index.js";
import { checkOptionNames, follow, type OptionNames } from "../tool/internal.js";
import { checkCase, type EvaluationCase, type Scorer } from "./evaluation-case.js";
import { EvaluationError } from "./evaluation-error.js";
import { type CaseResult, type EvaluationReport, summarise } from "./evaluation-report.js";
import { KeptAnswers } from "./kept-answers.js";
import { runCase, type RunOptions } from "./run-case.js";
import { WatchedModels } from "./watched-models.js";

/** How far an evaluation is. */
export interface EvaluationProgress {
  /** Runs that have ended. */
  readonly done: number;
  /** Runs of all cases and repetitions. */
  readonly total: number;
  readonly result: CaseResult;
}

/** Options of `evaluate`. See docs/29-evaluation.md. */
export interface EvaluationOptions {
  readonly agent: AgentClass;
  readonly cases: readonly EvaluationCase[];
  /** The model to try out, in place of the agent's own and its fallbacks. Sub-agents keep theirs. */
  readonly model?: ModelReference;
  /**
   * Whether tools run. Default: no. The calls of the model's first answer that has some are compared, and the run ends there. With `true`
   * runs go on to their end, as in production: replace what mustn't run by stubs.
   */
  readonly runTools?: boolean;
  /** How often each case is run. Default: 1. */
  readonly repetitions?: number;
  /** Runs at once. Default: 4. */
  readonly concurrency?: number;
  /** A folder that keeps the answers of models: a request that was answered isn't sent again, also after an interruption. Default: none. */
  readonly answers?: string;
  /** Further scores, by name. */
  readonly scorers?: Readonly<Record<string, Scorer>>;
  /** Returns the container of a run, made from the context of its case: `() => withStubs([refund])`. Default: as in production. */
  readonly services?: (context: Readonly<Record<string, unknown>>, evaluated: EvaluationCase) => Container | Promise<Container>;
  /** Returns other options of a run: a `toolContext` with the user that the context names, for example. */
  readonly options?: (context: Readonly<Record<string, unknown>>, evaluated: EvaluationCase) => RunOptions | Promise<RunOptions>;
  /** Called after each run. */
  readonly onProgress?: (progress: EvaluationProgress) => void;
  /** Ends the evaluation, which rejects with its reason. Kept answers stay. */
  readonly abortSignal?: AbortSignal;
}

const optionNames: OptionNames<EvaluationOptions> = {
  agent: true,
  cases: true,
  model: true,
  runTools: true,
  repetitions: true,
  concurrency: true,
  answers: true,
  scorers: true,
  services: true,
  options: true,
  onProgress: true,
  abortSignal: true,
};

/** Names of scores that the library gives. */
const ownScores = ["tool", "arguments", "forbidden", "outcome", "text"];

/**
 * Runs an agent on cases, and reports how often it does what is expected: the right tool, the right arguments, the right outcome.
 *
 * ```ts
 * const { summary } = await evaluate({
 *   agent: WeatherAgent,
 *   cases: [{ prompt: "Weather in Paris?", expect: { calls: [{ tool: WeatherTool, arguments: { city: "Paris" } }] } }],
 * });
 * summary.passed.share; // 1
 * ```
 *
 * Rejects with `EvaluationError` if a case is no case or answers can't be kept, and with `ModelError` if the model isn't set up. A case
 * that can't be judged has an `error` in its result. See docs/29-evaluation.md.
 */
export async function evaluate(options: EvaluationOptions): Promise<EvaluationReport> {
  checkOptionNames(options, optionNames, "evaluate");
  const { agent, cases, model, runTools = false, repetitions = 1, concurrency = 4, scorers = {}, abortSignal } = options;
  if (!isAgentClass(agent)) throw new EvaluationError("evaluate: agent must be the class of an agent, such as WeatherAgent.");
  checkCount("repetitions", repetitions);
  checkCount("concurrency", concurrency);
  for (const name of ownScores)
    if (name in scorers) throw new EvaluationError(`evaluate: the score "${name}" is the library's own. Give the scorer another name.`);
  const { definition } = agent;
  const ids = checkCases(cases);
  const modelId = model === undefined ? undefined : (await resolveModel(model)).id;
  const answers = options.answers === undefined ? undefined : await KeptAnswers.open(options.answers);
  const runs = Array.from({ length: repetitions }, (_, index) => {
    const models = new WatchedModels(model, definition.model, answers, index + 1);
    return cases.map((evaluated, place) => ({ evaluated, id: ids[place] ?? "", repetition: index + 1, models }));
  }).flat();
  const { services, options: runOptions } = options;
  const stop = new AbortController();
  const unfollow = follow(abortSignal, stop);
  const shared = { agent, runTools, scorers, services, options: runOptions, abortSignal: stop.signal };
  const results: CaseResult[] = new Array(runs.length);
  let done = 0;
  const pending = runs.entries();
  const work = async (): Promise<void> => {
    for (const [index, run] of pending) {
      stop.signal.throwIfAborted();
      const result = await runCase({ ...shared, ...run });
      results[index] = result;
      done += 1;
      options.onProgress?.({ done, total: runs.length, result });
    }
  };
  // What ends one run for good ends the others, so that no model is asked for nothing.
  const working = Array.from({ length: Math.min(concurrency, runs.length) }, () => work().catch((error: unknown) => stop.abort(error)));
  await Promise.all(working).finally(() => {
    answers?.close();
    unfollow();
  });
  stop.signal.throwIfAborted();
  return { version: 1, agent: definition.name, ...(modelId !== undefined && { model: modelId }), summary: summarise(results), results };
}

/** Throws unless all are cases of different ids; returns the ids. */
function checkCases(cases: unknown): readonly string[] {
  if (!Array.isArray(cases) || cases.length === 0)
    throw new EvaluationError("evaluate: cases must be a list with at least one case, such as [{ prompt, expect }].");
  const ids = cases.map((given, index) => checkCase(given, `evaluate: case ${index + 1}`).id ?? String(index + 1));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice === undefined) return ids;
  throw new EvaluationError(`evaluate: two cases have the id "${twice}". Give each its own: reports are compared by them.`);
}

function checkCount(name: string, value: unknown): void {
  if (Number.isSafeInteger(value) && (value as number) >= 1) return;
  throw new EvaluationError(`evaluate: ${name} is ${String(value)}: give a whole number of at least 1.`);
}
