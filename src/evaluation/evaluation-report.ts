import { addUsage, noUsage, type TokenUsage } from "../models/index.js";
import type { ArgumentFault, Verdict } from "./judge-case.js";
import { quantile, type Share, shareOf } from "./statistics.js";

/** One message of a conversation, for people. */
export interface ConversationLine {
  readonly role: "user" | "assistant" | "tool" | "system";
  readonly text: string;
  /** The calls of an answer. */
  readonly calls?: readonly { readonly tool: string; readonly arguments: string }[];
}

/** A case that was run, and what was found. */
export interface CaseResult extends Omit<Verdict, "pairs"> {
  readonly id: string;
  /** From 1. */
  readonly repetition: number;
  /** Why it couldn't be judged: the model failed, or the case is wrong. It doesn't count in any share, and the evaluation isn't complete. */
  readonly error?: string;
  /** Names of tools, expected and called; `null` for no call. */
  readonly choices: readonly { readonly expected: string | null; readonly called: string | null }[];
  /** `response.reason`. */
  readonly outcome?: string;
  /** The run's conversation, unless the case passed. */
  readonly conversation?: readonly ConversationLine[];
  readonly usage: TokenUsage;
  /** Milliseconds that the run took; of kept answers, what the model took when it gave them. */
  readonly milliseconds: number;
  /** Requests that models answered. */
  readonly requests: number;
  /** Those of them that were answered from kept answers. */
  readonly keptRequests: number;
}

/** Figures of an evaluation. Shares are of runs; their 95 % intervals (Wilson's) count each case once. */
export interface EvaluationSummary {
  readonly cases: number;
  readonly runs: number;
  /** Runs that couldn't be judged. Shares leave them out. */
  readonly errors: number;
  readonly passed: Share;
  /** By score: `tool`, `arguments` (tool and arguments are right), `forbidden`, `outcome`, `text`, and those of scorers. */
  readonly scores: Readonly<Record<string, Share>>;
  /** By expected tool: how often it was called. Rarest right first. */
  readonly tools: readonly { readonly tool: string; readonly right: Share }[];
  /** How often which tool was called in place of which; `null` for no call. Most frequent first. */
  readonly confusions: readonly { readonly expected: string | null; readonly called: string | null; readonly count: number }[];
  /** Most frequent first. */
  readonly argumentFaults: readonly (Pick<ArgumentFault, "tool" | "parameter" | "kind"> & { readonly count: number })[];
  /** Tokens of all runs. */
  readonly usage: TokenUsage;
  /** Milliseconds of a run. */
  readonly latency: { readonly median: number; readonly p95: number };
  readonly requests: number;
  readonly keptRequests: number;
}

/** The result of `evaluate`, as plain JSON. See docs/29-evaluation.md. */
export interface EvaluationReport {
  readonly version: 1;
  /** The agent's name. */
  readonly agent: string;
  /** The id of the model in place of the agent's own. */
  readonly model?: string;
  readonly summary: EvaluationSummary;
  /** In the order of the cases, all of the first repetition before those of the second. */
  readonly results: readonly CaseResult[];
}

/** The figures of results. */
export function summarise(results: readonly CaseResult[]): EvaluationSummary {
  const judged = results.filter(({ error }) => error === undefined);
  const names = [...new Set(judged.flatMap(({ scores }) => Object.keys(scores)))];
  const choices = judged.flatMap(({ id, choices: made }) => made.map((choice) => ({ ...choice, id })));
  const tools = [...new Set(choices.flatMap(({ expected }) => expected ?? []))].map((tool) => {
    const wanted = choices.filter(({ expected }) => expected === tool);
    return { tool, right: shareIn(wanted, ({ called }) => Number(called === tool)) };
  });
  const milliseconds = judged.map((result) => result.milliseconds);
  return {
    cases: new Set(results.map(({ id }) => id)).size,
    runs: results.length,
    errors: results.length - judged.length,
    passed: shareIn(judged, ({ passed }) => Number(passed)),
    scores: Object.fromEntries(
      names.map((name) => [
        name,
        shareIn(
          judged.filter(({ scores }) => name in scores),
          ({ scores }) => Number(scores[name]),
        ),
      ]),
    ),
    tools: tools.sort((one, other) => one.right.share - other.right.share),
    confusions: counted(
      choices.filter(({ expected, called }) => expected !== called).map(({ expected, called }) => ({ expected, called })),
    ),
    argumentFaults: counted(
      judged.flatMap(({ argumentFaults }) => argumentFaults.map(({ tool, parameter, kind }) => ({ tool, parameter, kind }))),
    ),
    usage: results.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
    latency: { median: quantile(milliseconds, 0.5), p95: quantile(milliseconds, 0.95) },
    requests: results.reduce((sum, { requests }) => sum + requests, 0),
    keptRequests: results.reduce((sum, { keptRequests }) => sum + keptRequests, 0),
  };
}

function shareIn<Item extends { readonly id: string }>(items: readonly Item[], valueOf: (item: Item) => number): Share {
  const sum = items.reduce((total, item) => total + valueOf(item), 0);
  return shareOf(sum, items.length, new Set(items.map(({ id }) => id)).size);
}

/** Equal items once, with their number. */
function counted<Item extends object>(items: readonly Item[]): readonly (Item & { readonly count: number })[] {
  const counts = new Map<string, Item & { count: number }>();
  for (const item of items) {
    const key = JSON.stringify(item);
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { ...item, count: 1 });
    else known.count += 1;
  }
  return [...counts.values()].sort((one, other) => other.count - one.count);
}
