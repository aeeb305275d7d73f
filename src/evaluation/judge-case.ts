import type { AgentResponse } from "../agent/index.js";
import type { Difference } from "../schema/internal.js";
import type { EvaluationCase, Scorer } from "./evaluation-case.js";
import { EvaluationError } from "./evaluation-error.js";
import { type CallPair, forbiddenCalls, pairCalls } from "./judge-calls.js";

/** An argument that isn't what was expected. */
export interface ArgumentFault {
  readonly tool: string;
  /** The parameter; empty if a function judged all arguments together. */
  readonly parameter: string;
  readonly kind: "missing" | "unexpected" | "different";
  /** The place inside the arguments: `items[1].price`. */
  readonly path: string;
  readonly expected?: unknown;
  readonly found?: unknown;
}

/** What was found in a response. */
export interface Verdict {
  readonly passed: boolean;
  readonly scores: Readonly<Record<string, boolean | number>>;
  /** Why it didn't pass, for people. */
  readonly faults: readonly string[];
  readonly pairs: readonly CallPair[];
  readonly argumentFaults: readonly ArgumentFault[];
}

/** Judges a response by what its case expects. Throws `EvaluationError` if the case or a scorer is wrong. */
export async function judgeCase(
  evaluated: EvaluationCase,
  response: AgentResponse,
  scorers: Readonly<Record<string, Scorer>>,
  runTools: boolean,
): Promise<Verdict> {
  const { calls, forbidden, outcome, text } = evaluated.expect;
  const scores: Record<string, boolean | number> = {};
  const faults: string[] = [];
  const note = (name: string, isRight: boolean, ...found: readonly string[]): void => {
    scores[name] = isRight;
    if (!isRight) faults.push(...found);
  };
  const pairs = calls === undefined ? [] : await pairCalls(response, calls);
  const argumentFaults = pairs.flatMap(({ expected, differences }) => differences.map((difference) => faultOf(expected ?? "", difference)));
  if (calls !== undefined) {
    const isRightTool = pairs.every(({ expected, called }) => expected === called);
    note("tool", isRightTool, ...pairs.flatMap(describePair));
    note("arguments", isRightTool && argumentFaults.length === 0, ...argumentFaults.map(describeFault));
  }
  if (forbidden !== undefined) {
    const called = forbiddenCalls(response, forbidden);
    note("forbidden", called.length === 0, ...called.map((tool) => `called ${tool}, which is forbidden`));
  }
  const whyEarly = runTools || response.reason !== "max_steps" ? "" : "; its tools don't run, so it ended at its calls: set runTools";
  if (outcome !== undefined) note("outcome", response.reason === outcome, `ended with ${response.reason}, not ${outcome}${whyEarly}`);
  if (text !== undefined) note("text", contains(response.text, text), `the answer doesn't ${wantedText(text)}${whyEarly}`);
  for (const [name, scorer] of Object.entries(scorers)) {
    const score = checkScore(name, await scorer(evaluated, response));
    if (typeof score === "boolean") note(name, score, `${name} is false`);
    else scores[name] = score;
  }
  return { passed: Object.values(scores).every((score) => score !== false), scores, faults, pairs, argumentFaults };
}

function checkScore(name: string, score: unknown): boolean | number {
  if (typeof score === "boolean" || (typeof score === "number" && score >= 0 && score <= 1)) return score;
  throw new EvaluationError(`The scorer "${name}" returned ${String(score)}: return a boolean, or a number from 0 to 1.`);
}

function faultOf(tool: string, { path, expected, found }: Difference): ArgumentFault {
  const parameter = /^[^.[]*/.exec(path)?.[0] ?? "";
  const kind = found === undefined ? "missing" : expected === undefined ? "unexpected" : "different";
  return { tool, parameter, kind, path, ...(expected !== undefined && { expected }), ...(found !== undefined && { found }) };
}

function describePair({ expected, called }: CallPair): readonly string[] {
  if (expected === called) return [];
  if (expected === null) return [`called ${called}, which isn't expected`];
  return [called === null ? `didn't call ${expected}` : `called ${called} instead of ${expected}`];
}

/** `weather: city is "paris", expected "Paris"` */
export function describeFault({ tool, path, kind, expected, found }: ArgumentFault): string {
  if (path === "") return `${tool}: the arguments are ${shown(found)}`;
  if (kind === "missing") return `${tool}: ${path} is missing, expected ${shown(expected)}`;
  return `${tool}: ${path} is ${shown(found)}, ${kind === "unexpected" ? "and isn't expected" : `expected ${shown(expected)}`}`;
}

const longestShown = 160;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > longestShown ? `${text.slice(0, longestShown)}...` : text;
}

const contains = (text: string | undefined, wanted: string | RegExp): boolean =>
  text !== undefined &&
  (typeof wanted === "string" ? text.includes(wanted) : new RegExp(wanted, wanted.flags.replace(/[gy]/g, "")).test(text));

const wantedText = (wanted: string | RegExp): string =>
  typeof wanted === "string" ? `contain ${JSON.stringify(wanted)}` : `match ${wanted}`;
