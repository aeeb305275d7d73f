import type { AcceptedEntry } from "../loop/internal.js";
import { checkOptionNames } from "../tool/internal.js";
import { runtimeRunOf } from "./run-records.js";
import type { JsonObject, RuntimeRun } from "./runtime.js";

/** How many runs may go on at once, or begin in a period. A run that waits for a decision doesn't count. See docs/25-workers.md. */
export interface RunLimits {
  /** Runs at once of one tenant, or one user, in all processes. The others wait in the order in which they came. */
  readonly perKey?: {
    /** Whose run it is: `({ tenantId }) => String(tenantId)`. */
    readonly key: (context: JsonObject, run: RuntimeRun) => string;
    readonly concurrency: number;
  };
  /** So many runs begin, or go on after a pause, in so many milliseconds. */
  readonly rate?: { readonly runs: number; readonly period: number };
}

/** Throws `TypeError` or `RangeError` for wrong limits. */
export function checkLimits(limits: RunLimits, owner: string): void {
  checkOptionNames(limits, { perKey: true, rate: true }, `limits of ${owner}`);
  const { perKey, rate } = limits;
  if (perKey !== undefined) {
    checkOptionNames(perKey, { key: true, concurrency: true }, `limits.perKey of ${owner}`);
    if (typeof perKey.key !== "function")
      throw new TypeError(`${owner}: limits.perKey.key must be a function of the context: ({ tenantId }) => tenantId.`);
    checkCount(perKey.concurrency, `${owner}: limits.perKey.concurrency`);
  }
  if (rate !== undefined) {
    checkOptionNames(rate, { runs: true, period: true }, `limits.rate of ${owner}`);
    checkCount(rate.runs, `${owner}: limits.rate.runs`);
    checkCount(rate.period, `${owner}: limits.rate.period, in milliseconds,`);
  }
}

/** The key of a run; `undefined` without a limit per key. Throws `TypeError` if the function gives something else than a string. */
export function limitKeyOf({ perKey }: RunLimits, accepted: AcceptedEntry, owner: string): string | undefined {
  if (perKey === undefined) return undefined;
  const { runId, context } = accepted;
  const key: unknown = perKey.key(structuredClone(context), runtimeRunOf(accepted));
  if (typeof key === "string" && key !== "") return key;
  throw new TypeError(
    `${owner}: limits.perKey.key gave ${key === "" ? "an empty string" : String(key)} for the run "${runId}": return a string that names the tenant or user, such as String(tenantId).`,
  );
}

function checkCount(value: unknown, name: string): void {
  if (Number.isSafeInteger(value) && (value as number) > 0) return;
  throw new RangeError(`${name} is ${String(value)}: give a whole number of at least 1.`);
}
