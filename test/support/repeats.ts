/**
 * How much of a costly property is tried. `npm test` tries a part of it, others in each run; `npm run test:random` tries the whole, and
 * `npm run check` runs both.
 */
export const isWhole = process.env.RANDOM_INPUTS === "all";

/** A tenth of the count of random inputs. */
export const repeats = (count: number): number => (isWhole ? count : Math.ceil(count / 10));

/** A quarter of the values. */
export const sample = <Value>(values: readonly Value[]): readonly Value[] =>
  isWhole ? values : values.filter(() => Math.random() < 1 / 4);
