/** A share with its 95 % interval. */
export interface Share {
  /** From 0 to 1; `NaN` of nothing. */
  readonly share: number;
  /** The lower end of the interval. */
  readonly low: number;
  /** The upper end of the interval. */
  readonly high: number;
  /** How many runs it is the share of. */
  readonly of: number;
}

/** The quantile of the normal distribution for an interval of 95 %. */
const z = 1.959964;

/**
 * A share with Wilson's interval (E. B. Wilson, Probable Inference, JASA 1927). `cases`: how many independent cases there are; repetitions
 * of a case aren't independent, so that they don't narrow the interval.
 */
export function shareOf(sum: number, of: number, cases: number = of): Share {
  if (of === 0) return { share: Number.NaN, low: 0, high: 1, of };
  const share = sum / of;
  const spread = (z * z) / cases;
  const centre = (share + spread / 2) / (1 + spread);
  const half = (z / (1 + spread)) * Math.sqrt((share * (1 - share)) / cases + spread / (4 * cases));
  return { share, low: Math.max(0, centre - half), high: Math.min(1, centre + half), of };
}

/**
 * How likely it is that of `better + worse` differing pairs at least so many differ in one direction if both directions are equally likely:
 * the exact, two-sided sign test, which is McNemar's exact test for pairs of yes and no.
 */
export function signTest(better: number, worse: number): number {
  const pairs = better + worse;
  const least = Math.min(better, worse);
  // Logarithms: 0.5 to the power of 2,000 is 0 as a number.
  let term = -pairs * Math.LN2;
  let sum = 0;
  for (let count = 0; count <= least; count += 1) {
    sum += Math.exp(term);
    term += Math.log((pairs - count) / (count + 1));
  }
  return Math.min(1, 2 * sum);
}

/** The mean of differences with its approximate 95 % interval. */
export function meanDifference(differences: readonly number[]): {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
} {
  const { length } = differences;
  const difference = differences.reduce((sum, one) => sum + one, 0) / length;
  const variance = differences.reduce((sum, one) => sum + (one - difference) ** 2, 0) / Math.max(1, length - 1);
  const half = z * Math.sqrt(variance / length);
  return { difference, low: difference - half, high: difference + half };
}

/** The value below which the given part of the sorted values lies; 0 of none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}
