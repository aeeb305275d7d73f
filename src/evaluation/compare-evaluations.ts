import { checkOptionNames, type OptionNames } from "../tool/internal.js";
import { EvaluationError } from "./evaluation-error.js";
import type { CaseResult, EvaluationReport } from "./evaluation-report.js";
import { meanDifference, signTest } from "./statistics.js";

/** Options of `compareEvaluations`. */
export interface ComparisonOptions {
  /** What is compared: `passed`, or a score such as `tool`. Default: `passed`. */
  readonly score?: string;
}

const optionNames: OptionNames<ComparisonOptions> = { score: true };

/** How two evaluations of the same cases differ. See docs/29-evaluation.md. */
export interface EvaluationComparison {
  readonly score: string;
  /** The cases that both judged. */
  readonly cases: number;
  /** The shares of both, over these cases. */
  readonly before: number;
  readonly after: number;
  /** `after` minus `before`, with its approximate 95 % interval. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** Ids of cases that are better, and worse, in `after`. */
  readonly better: readonly string[];
  readonly worse: readonly string[];
  /** How likely a difference like this is by chance: the exact sign test, two-sided (for yes and no, McNemar's). */
  readonly probability: number;
  /** Whether `probability` is below 0.05. */
  readonly isMoreThanChance: boolean;
  /** Mean input and output tokens of a run. */
  readonly tokens: { readonly before: number; readonly after: number };
  /** Mean milliseconds of a run. */
  readonly milliseconds: { readonly before: number; readonly after: number };
}

/**
 * Compares two evaluations case by case: two models, two instructions, two descriptions of a tool.
 *
 * `compareEvaluations(before, after).isMoreThanChance`
 *
 * Cases are the same if their ids are. Throws `EvaluationError` if no case is in both. See docs/29-evaluation.md.
 */
export function compareEvaluations(
  before: EvaluationReport,
  after: EvaluationReport,
  options: ComparisonOptions = {},
): EvaluationComparison {
  checkOptionNames(options, optionNames, "compareEvaluations");
  const { score = "passed" } = options;
  const [earlier, later] = [valuesOf(before, score), valuesOf(after, score)];
  const ids = [...earlier.keys()].filter((id) => later.has(id));
  if (ids.length === 0)
    throw new EvaluationError(
      `compareEvaluations: no case has the score "${score}" in both reports. Compare evaluations of the same cases.`,
    );
  const pairs = ids.map((id) => ({ id, before: earlier.get(id) ?? 0, after: later.get(id) ?? 0 }));
  const better = pairs.filter((pair) => pair.after > pair.before).map(({ id }) => id);
  const worse = pairs.filter((pair) => pair.after < pair.before).map(({ id }) => id);
  const probability = signTest(better.length, worse.length);
  const compared = new Set(ids);
  const judged = ({ results }: EvaluationReport) => results.filter(({ id, error }) => error === undefined && compared.has(id));
  const [first, second] = [judged(before), judged(after)];
  return {
    score,
    cases: ids.length,
    before: mean(pairs, (pair) => pair.before),
    after: mean(pairs, (pair) => pair.after),
    ...meanDifference(pairs.map((pair) => pair.after - pair.before)),
    better,
    worse,
    probability,
    isMoreThanChance: probability < 0.05,
    tokens: { before: mean(first, tokensOf), after: mean(second, tokensOf) },
    milliseconds: { before: mean(first, timeOf), after: mean(second, timeOf) },
  };
}

/** By case: the mean of its repetitions. */
function valuesOf({ results }: EvaluationReport, score: string): ReadonlyMap<string, number> {
  const values = new Map<string, number[]>();
  for (const { id, error, passed, scores } of results) {
    const value = score === "passed" ? passed : scores[score];
    if (error === undefined && value !== undefined) values.set(id, [...(values.get(id) ?? []), Number(value)]);
  }
  return new Map([...values].map(([id, all]) => [id, mean(all, (value) => value)]));
}

const tokensOf = ({ usage }: CaseResult): number => usage.inputTokens + usage.outputTokens;
const timeOf = ({ milliseconds }: CaseResult): number => milliseconds;

const mean = <Item>(items: readonly Item[], valueOf: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + valueOf(item), 0) / items.length;
