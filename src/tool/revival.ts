import type { Fault } from "../schema/index.js";

/**
 * The second half of reading input: checked JSON becomes what the author declared (instances, dates, a Standard
 * Schema's output), in place, in one walk. Rules that answer later add to `pending`; every fault is collected.
 */
export interface Revival {
  readonly faults: Fault[];
  readonly pending: Promise<void>[];
  /** Whether values that don't fit a Standard Schema may be repaired, as `ValidateOptions.repair`. */
  readonly repair: boolean;
}

/** A place that holds a value: an object's property or an array's item. */
export type Holder = Record<PropertyKey, unknown>;

/** Replaces `holder[key]` by what the author declared. `path` is for faults. */
export type Revive = (holder: Holder, key: string | number, path: string, revival: Revival) => void;

export const memberPath = (path: string, key: string | number): string => {
  if (typeof key === "number") return `${path}[${key}]`;
  return path === "" ? key : `${path}.${key}`;
};

/** Runs now or when the promise settles, so that synchronous rules stay synchronous. */
export function whenReady<T>(value: T | Promise<T>, revival: Revival, use: (value: T) => void): void {
  if (value instanceof Promise) revival.pending.push(value.then(use));
  else use(value);
}
