import type { AcceptedEntry } from "../loop/internal.js";
import type { WhenExceeded } from "../tool/index.js";
import { checkOptionNames, longestTimer } from "../tool/internal.js";
import { runtimeRunOf } from "./run-records.js";
import type { JsonObject, RuntimeRun } from "./runtime.js";
import { RuntimeError } from "./runtime-error.js";

/** How many runs may go on at once, or begin in a period. A run that waits for a decision doesn't count. See docs/27-limits.md. */
export interface RunLimits {
  /** Runs at once of one tenant, or one user. With `DbosRuntime`, of all processes. */
  readonly perKey?: {
    /** Whose run it is: `({ tenantId }) => String(tenantId)`. */
    readonly key: (context: JsonObject, run: RuntimeRun) => string;
    readonly concurrency: number;
  };
  /** So many runs begin, or go on after a pause, in any period of so many milliseconds. With `DbosRuntime`, in all processes. */
  readonly rate?: { readonly runs: number; readonly period: number };
  /**
   * What happens to a run over a limit: it waits, in the order in which the runs came, or `start` rejects with a `RuntimeError`. A run that has
   * begun is never rejected: after a decision or a crash it waits. Default: `"wait"`.
   */
  readonly whenExceeded?: WhenExceeded;
}

/** The limits of a runtime that carries on its runs in its own process. See docs/27-limits.md. */
export interface ProcessRunLimits extends RunLimits {
  /** Runs at once in this process. */
  readonly concurrency?: number;
}

const sharedNames = { perKey: true, rate: true, whenExceeded: true } as const;

/** Throws `TypeError` or `RangeError` for wrong limits. `concurrency`: whether the runtime has one. */
export function checkLimits(limits: ProcessRunLimits, owner: string, { concurrency: ofProcess = false } = {}): void {
  checkOptionNames(limits, ofProcess ? { concurrency: true, ...sharedNames } : sharedNames, `limits of ${owner}`);
  const { perKey, rate, whenExceeded, concurrency } = limits;
  if (concurrency !== undefined) checkCount(concurrency, `${owner}: limits.concurrency`);
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
    if (rate.period > longestTimer)
      throw new RangeError(`${owner}: limits.rate.period is ${rate.period}: give at most ${longestTimer} milliseconds.`);
  }
  if (whenExceeded !== undefined && whenExceeded !== "wait" && whenExceeded !== "reject")
    throw new TypeError(`${owner}: limits.whenExceeded must be "wait" or "reject", got ${JSON.stringify(whenExceeded)}.`);
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

/** The error of a run that isn't accepted, because it would have to wait. `limit` says for what. */
export const limitExceeded = (runId: string, limit: string): RuntimeError =>
  new RuntimeError(
    "limit_exceeded",
    `start: the run "${runId}" isn't accepted, because ${limit}. Start it again later, or let it wait: limits: { whenExceeded: "wait" }.`,
  );

/** Why a run isn't accepted. */
export const keyIsFull = (key: string, concurrency: number): string => `"${key}" has ${runsIn(concurrency)} already (limits.perKey)`;

export const rateIsFull = ({ runs, period }: NonNullable<RunLimits["rate"]>): string =>
  `${runsIn(runs)} in ${period} ms may begin, and no more (limits.rate)`;

export const processIsFull = (concurrency: number): string => `this process has ${runsIn(concurrency)} already (limits.concurrency)`;

const runsIn = (count: number): string => (count === 1 ? "1 run" : `${count} runs`);

function checkCount(value: unknown, name: string): void {
  if (Number.isSafeInteger(value) && (value as number) > 0) return;
  throw new RangeError(`${name} is ${String(value)}: give a whole number of at least 1.`);
}
