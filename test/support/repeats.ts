/**
 * How often a costly property is tried with random inputs. `npm test` tries a tenth of the count; `npm run test:random` tries all, and
 * `npm run check` runs both.
 */
export const repeats = (count: number): number => (process.env.RANDOM_INPUTS === "all" ? count : Math.ceil(count / 10));
