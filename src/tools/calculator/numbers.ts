import { CalculatorError } from "./calculator-error.js";

/** Every whole number up to it is exact. */
const largestExact = 2 ** 53;

/** Reads a number as it is written; one whose last digits a calculation would silently change is refused. */
export function readNumber(text: string): number {
  const value = Number(text);
  if (value === Number.POSITIVE_INFINITY) throw new CalculatorError("not_finite", `${text} is too large: numbers go up to about 1.8e308.`);
  if (value < largestExact) return value;
  const whole = /^\d+/.exec(text)?.[0];
  if (whole !== undefined && !/e/i.test(text) && BigInt(whole) !== BigInt(value)) {
    throw new CalculatorError(
      "precision",
      `${text} has more digits than can be calculated with exactly. Use whole numbers up to ${largestExact}, or write it rounded, as ${value.toExponential(14)}.`,
    );
  }
  return value;
}

/**
 * 15 digits, so that 0.1 + 0.2 is 0.3: what a number of 64 bits holds for certain. Whole numbers are exact up to 2^53. Never -0.
 */
export const rounded = (value: number): number =>
  Number.isInteger(value) && Math.abs(value) <= largestExact ? value + 0 : Number(value.toPrecision(15)) + 0;
