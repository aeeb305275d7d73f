import type { Place } from "./place.js";

/** What one validation may cost in all: a unit is about 20 nanoseconds of a 2.5 GHz core. */
const maxWork = 2_000_000;

/** Called for each part of some work, with its share in units. */
export type CountWork = (units: number) => void;

/** For what is known to be small. */
export const uncounted: CountWork = () => undefined;

/** One count of work for everything that a validation does: defaults, patterns, repairs, faults. */
export class WorkBudget {
  private left: number;

  constructor(size = maxWork) {
    this.left = size;
  }

  /** @throws TooCostlyError when nothing is left. */
  spend(units: number, place?: Place): void {
    this.left -= units;
    if (this.left < 0) throw new TooCostlyError(place);
  }
}

/** A value that can't be checked within its budget. It is never accepted. */
export class TooCostlyError extends Error {
  constructor(readonly place?: Place) {
    super("is too costly to check");
  }
}
