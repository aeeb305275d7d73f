import type { Fault } from "../../schema/index.js";

/**
 * The second half of reading input: checked JSON becomes what the author declared (instances, dates, a Standard
 * Schema's output), in place, in one walk. Rules that answer later add to `pending`; every fault is collected.
 */
export interface Revival {
  readonly faults: Fault[];
  readonly pending: Promise<void>[];
}

export const startRevival = (): Revival => ({ faults: [], pending: [] });

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
  if (!(value instanceof Promise)) {
    use(value);
    return;
  }
  const pending = value.then(use);
  // A rule that throws at once ends the walk: then nothing awaits this one, and its failure must not end the process.
  pending.catch(() => undefined);
  revival.pending.push(pending);
}

/** Waits for every rule that answers later, those that others began meanwhile among them; undefined if none does. */
export const allSettled = (revival: Revival): Promise<void> | undefined => (revival.pending.length === 0 ? undefined : settle(revival));

async function settle({ pending }: Revival): Promise<void> {
  for (let waited = 0; waited < pending.length; ) {
    const all = pending.slice(waited);
    waited = pending.length;
    await Promise.all(all);
  }
}

/** Revives a value on the side, and hands over what came of it, now or later. */
export function tryRevive(
  revive: Revive,
  value: unknown,
  path: string,
  revival: Revival,
  use: (revived: unknown, faults: readonly Fault[]) => void,
): void {
  const trial = startRevival();
  const holder: Holder = { value };
  revive(holder, "value", path, trial);
  whenReady(allSettled(trial), revival, () => use(holder.value, trial.faults));
}

/** A JSON object, not an instance that class-transformer made of one. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The second look is for objects of another realm.
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}
