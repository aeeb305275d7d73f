/** A number as the JSON text writes it: `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/**
 * Whether a number is a multiple of a positive one, by their decimal digits: 1070468.14 is a multiple of 0.01, and the remainder of
 * the binary fractions says nothing about that. An integer beyond 2^53 may be meant by its digits (1e23) or by its value (2^60).
 */
export function isMultiple(number: number, divisor: number): boolean {
  if (Number.isInteger(number) && Number.isInteger(divisor)) {
    if (number % divisor === 0) return true;
    if (Number.isSafeInteger(number) && Number.isSafeInteger(divisor)) return false;
  }
  if (!Number.isFinite(number)) return false;
  const dividend = decimalOf(number);
  const unit = decimalOf(divisor);
  const shift = dividend.exponent - unit.exponent;
  return shift >= 0
    ? (dividend.digits * powerOfTen(shift)) % unit.digits === 0n
    : dividend.digits % (unit.digits * powerOfTen(-shift)) === 0n;
}

/**
 * Digits stay below 10^21, that is below 2^70. A higher power of ten has no factor in common with them that this one lacks, and as a
 * part of the divisor it is as much too large.
 */
const highestPower = 70;

const powersOfTen = Array.from({ length: highestPower + 1 }, (_, power) => 10n ** BigInt(power));

const powerOfTen = (power: number): bigint => powersOfTen[Math.min(power, highestPower)] as bigint;

/** The shortest digits that mean the number, which are those that JSON is written with. */
function decimalOf(number: number): Decimal {
  const [mantissa = "", exponent = "0"] = String(number).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
