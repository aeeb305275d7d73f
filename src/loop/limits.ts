import { isOptions } from "../tool/internal.js";

/**
 * What one run may use; each member may be left out. Where a limit is reached the run ends, with its history in order,
 * and can be resumed with a fresh budget. Model calls are limited by `@maxSteps`.
 */
export interface Budget {
  /** Calls of each tool that run: one number for all, or by the tools' names. Further ones are refused, and end the run. */
  readonly callsPerTool?: number | Readonly<Record<string, number>>;
  /** Steps in a row with the same calls that fail in the same way: 5 where it isn't given. */
  readonly identicalFailures?: number;
  /** Milliseconds from the start of the run, or from its resumption. Aborts what is under way. */
  readonly wallTime?: number;
  /** Input and output tokens of all model calls, those of sub-agents included. A model may overrun it with its last answer; the calls in that aren't run. */
  readonly tokens?: number;
  /** Bytes of UTF-8 of all tool results that the model reads. */
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

/** The limits of a run. `maxSteps`: a positive integer, or Infinity. */
export function limitsOf(maxSteps: number, budget: Budget = {}): LoopLimits {
  const { callsPerTool = null, identicalFailures = identicalFailureLimit, tokens, resultBytes } = budget;
  return {
    steps: finite(maxSteps),
    tokens: finite(tokens),
    resultBytes: finite(resultBytes),
    identicalFailures: finite(identicalFailures),
    callsPerTool: typeof callsPerTool === "number" ? finite(callsPerTool) : callsPerTool,
  };
}

const finite = (limit: number | undefined): number | null => (limit === undefined || limit === Number.POSITIVE_INFINITY ? null : limit);

const members = ["callsPerTool", "identicalFailures", "wallTime", "tokens", "resultBytes"] as const;

/** Throws `RangeError` where a budget isn't one. `owner` begins the message. */
export function checkBudget(budget: Budget, owner: string): Budget {
  if (!isOptions(budget)) throw new RangeError(`${owner}: a budget takes limits, such as { tokens: 50_000 }, got ${String(budget)}.`);
  for (const [name, limit] of Object.entries(budget)) {
    if (!(members as readonly string[]).includes(name)) {
      throw new RangeError(`${owner}: a budget has no "${name}"; it may have ${members.join(", ")}.`);
    }
    const numbers =
      typeof limit === "object" && limit !== null && name === "callsPerTool" ? Object.entries(limit) : [[name, limit] as const];
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
