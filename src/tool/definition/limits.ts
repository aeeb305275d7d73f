import { longestTimer } from "../cancellation.js";
import { checkOptionNames } from "../option-names.js";
import type { ConcurrencyLimit, RateLimit } from "../tool-definition.js";
import { ToolDefinitionError } from "../tool-errors.js";

/** Throws `ToolDefinitionError` for a wrong limit. Returns a frozen copy. */
export function readConcurrency(value: unknown, owner: string): ConcurrencyLimit {
  checkLimit(value, { calls: true, key: true, whenExceeded: true }, `${owner}: concurrency`);
  return Object.freeze({ ...(value as ConcurrencyLimit) });
}

/** Throws `ToolDefinitionError` for a wrong limit. Returns a frozen copy. */
export function readRateLimit(value: unknown, owner: string): RateLimit {
  const name = `${owner}: rateLimit`;
  checkLimit(value, { calls: true, period: true, key: true, whenExceeded: true }, name);
  const { period } = value as RateLimit;
  if (!(typeof period === "number" && period > 0 && period <= longestTimer)) {
    throw new ToolDefinitionError(
      `${name}.period must be a number of milliseconds above 0, at most ${longestTimer}, got ${typeof period} ${String(period)}. Write @rateLimit(100, 60_000).`,
    );
  }
  return Object.freeze({ ...(value as RateLimit) });
}

function checkLimit(value: unknown, names: Readonly<Record<string, true>>, name: string): void {
  checkOptionNames(value, names, name, ToolDefinitionError);
  const { calls, key, whenExceeded } = value as ConcurrencyLimit;
  if (!(Number.isSafeInteger(calls) && calls > 0))
    throw new ToolDefinitionError(`${name}.calls must be a whole number of at least 1, got ${typeof calls} ${String(calls)}.`);
  if (key !== undefined && typeof key !== "function")
    throw new ToolDefinitionError(
      `${name}.key must be a function of the arguments and the context, got ${typeof key}: ({ account }) => account.`,
    );
  if (whenExceeded !== undefined && whenExceeded !== "wait" && whenExceeded !== "reject")
    throw new ToolDefinitionError(`${name}.whenExceeded must be "wait" or "reject", got ${JSON.stringify(whenExceeded)}.`);
}
