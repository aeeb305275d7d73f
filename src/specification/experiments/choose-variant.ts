import { createHash } from "node:crypto";

/**
 * The variant of a key: always the same one, for each key independent of all others and of other experiments, and as often
 * as the weights say. By weighted rendezvous hashing: each variant draws a number for the key, and the best one wins, so that
 * another weight or another variant moves no more keys than it must.
 */
export function chooseVariant<Variant extends string>(
  experiment: string,
  key: string,
  weights: readonly (readonly [Variant, number])[],
): Variant | undefined {
  let best = Number.POSITIVE_INFINITY;
  let chosen: Variant | undefined;
  for (const [variant, weight] of weights) {
    if (weight === 0) continue;
    // The time until an event that is the likelier the larger its weight.
    const time = -Math.log(fraction(JSON.stringify([experiment, variant, key]))) / weight;
    if (time < best) [best, chosen] = [time, variant];
  }
  return chosen;
}

/** A text as a number above 0 and below 1. */
const fraction = (text: string): number => (createHash("sha256").update(text).digest().readUIntBE(0, 6) + 0.5) / 2 ** 48;
