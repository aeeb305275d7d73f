import { isOptions, type NamedClass, nameIn, type ToolReference } from "../tool/internal.js";

/**
 * Limits of one run, all optional. A run that reaches one ends with a consistent history, and `resume` continues it with a fresh
 * budget.
 *
 * Model calls are limited by `@maxSteps`. See docs/03-agents.md.
 */
export interface Budget {
  /**
   * The most calls of each tool: one number for all tools, numbers by exact tool name, or a Map with classes or names:
   * `new Map([[SendMailTool, 1]])`. If several apply to a tool, the lowest holds. Further calls don't run, and the run ends.
   */
  readonly callsPerTool?: number | Readonly<Record<string, number>> | ReadonlyMap<string | NamedClass, number>;
  /** The most steps in a row whose calls are the same and fail in the same way. Default: 5. */
  readonly identicalFailures?: number;
  /** Milliseconds since the start of the run, or since it was resumed. Calls in progress are aborted. */
  readonly wallTime?: number;
  /**
   * The most input and output tokens of all model calls, sub-agents included. The last answer may exceed it; its tool calls don't
   * run.
   */
  readonly tokens?: number;
  /** The most bytes (UTF-8) of all tool results that the model reads. */
  readonly resultBytes?: number;
}

/** The limits that the loop itself keeps; `null`: none (JSON has no Infinity). */
export interface LoopLimits {
  readonly steps: number | null;
  readonly tokens: number | null;
  readonly resultBytes: number | null;
  readonly identicalFailures: number | null;
  readonly callsPerTool: number | Readonly<Record<string, number>> | null;
}

/** A model that repeats the same failing calls is given up after so many steps; a step limit alone would let it burn tokens. */
const identicalFailureLimit = 5;

/**
 * The limits of a run. `maxSteps`: a positive integer, or Infinity. `namesOf`: the names by which the loop knows the tools that a key of
 * `callsPerTool` means.
 */
export function limitsOf(
  maxSteps: number,
  budget: Budget = {},
  namesOf: (tool: ToolReference) => readonly string[] = (tool) => [nameIn(tool)],
): LoopLimits {
  const { callsPerTool = null, identicalFailures = identicalFailureLimit, tokens, resultBytes } = budget;
  return {
    steps: finite(maxSteps),
    tokens: finite(tokens),
    resultBytes: finite(resultBytes),
    identicalFailures: finite(identicalFailures),
    callsPerTool: typeof callsPerTool === "number" ? finite(callsPerTool) : callsPerTool && lowestByName(callLimits(callsPerTool), namesOf),
  };
}

type CallLimit = readonly [tool: ToolReference, limit: number];

/** A class and a name may mean the same tool. */
function lowestByName(limits: readonly CallLimit[], namesOf: (tool: ToolReference) => readonly string[]): Readonly<Record<string, number>> {
  const lowest = new Map<string, number>();
  for (const [tool, limit] of limits) {
    if (finite(limit) === null) continue;
    for (const name of namesOf(tool)) lowest.set(name, Math.min(limit, lowest.get(name) ?? limit));
  }
  return Object.fromEntries(lowest);
}

/** The tools that a budget limits one by one. */
export function limitedTools({ callsPerTool }: Budget = {}): readonly ToolReference[] {
  return callsPerTool === undefined || typeof callsPerTool === "number" ? [] : callLimits(callsPerTool).map(([tool]) => tool);
}

/** What a budget says of single tools. */
function callLimits(limits: Exclude<NonNullable<Budget["callsPerTool"]>, number>): readonly CallLimit[] {
  // A Map of another realm is none by instanceof, and would limit nothing.
  if (Object.prototype.toString.call(limits) !== "[object Map]") return Object.entries(limits);
  return [...(limits as ReadonlyMap<ToolReference, number>)];
}

const finite = (limit: number | undefined): number | null => (limit === undefined || limit === Number.POSITIVE_INFINITY ? null : limit);

const members = ["callsPerTool", "identicalFailures", "wallTime", "tokens", "resultBytes"] as const;

/** Throws `RangeError` if a budget isn't one. `owner` begins the message. */
export function checkBudget(budget: Budget, owner: string): Budget {
  if (!isOptions(budget)) throw new RangeError(`${owner}: a budget takes limits, such as { tokens: 50_000 }, got ${String(budget)}.`);
  for (const [name, limit] of Object.entries(budget)) {
    if (!(members as readonly string[]).includes(name)) {
      throw new RangeError(`${owner}: a budget has no "${name}"; it may have ${members.join(", ")}.`);
    }
    const numbers =
      typeof limit === "object" && limit !== null && name === "callsPerTool" ? namedLimits(limit, owner) : [[name, limit] as const];
    for (const [what, number] of numbers) {
      const least = name === "callsPerTool" ? 0 : 1;
      if (number !== undefined && !(typeof number === "number" && number >= least)) {
        throw new RangeError(
          `${owner}: ${what === name ? name : `${name} of "${what}"`} of the budget is ${String(number)}, but must be a number of at least ${least}.`,
        );
      }
    }
  }
  return budget;
}

/** From JavaScript a key may be anything. */
function namedLimits(limits: Parameters<typeof callLimits>[0], owner: string): readonly (readonly [string, number])[] {
  return callLimits(limits).map(([tool, limit]) => {
    if (typeof tool === "string" || typeof tool?.definition?.name === "string") return [nameIn(tool), limit];
    throw new RangeError(`${owner}: a key of callsPerTool of the budget is ${String(tool)}. Give the class or the name of a tool.`);
  });
}
