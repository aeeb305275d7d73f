import { CalculatorError } from "./calculator-error.js";
import { rounded } from "./numbers.js";

export const constants: ReadonlyMap<string, number> = new Map([
  ["pi", Math.PI],
  ["e", Math.E],
]);

/** A function of numbers, and how many it takes. */
interface CalculatorFunction {
  readonly least: number;
  readonly most: number;
  readonly apply: (...values: number[]) => number;
}

const of = (least: number, most: number, apply: (...values: number[]) => number): CalculatorFunction => ({ least, most, apply });
const ofOne = (apply: (value: number) => number): CalculatorFunction => of(1, 1, apply);

/** Of what is meant: (0.1 + 0.7) * 10 is 8, though the computer's is a little less. */
const ofRounded = (apply: (value: number) => number): CalculatorFunction => ofOne((value) => apply(rounded(value)));

/** All there is. A map, so that no name reaches what an object inherits. */
export const functions: ReadonlyMap<string, CalculatorFunction> = new Map([
  ["abs", ofOne(Math.abs)],
  ["sign", ofOne(Math.sign)],
  ["sqrt", ofOne(Math.sqrt)],
  ["cbrt", ofOne(Math.cbrt)],
  ["exp", ofOne(Math.exp)],
  ["ln", ofOne(Math.log)],
  ["log2", ofOne(Math.log2)],
  ["log10", ofOne(Math.log10)],
  ["log", of(2, 2, (value = 0, base = 0) => logarithm(value, base))],
  ["sin", ofOne(Math.sin)],
  ["cos", ofOne(Math.cos)],
  ["tan", ofOne(Math.tan)],
  ["asin", ofOne(Math.asin)],
  ["acos", ofOne(Math.acos)],
  ["atan", ofOne(Math.atan)],
  ["atan2", of(2, 2, (y = 0, x = 0) => Math.atan2(y, x))],
  ["sinh", ofOne(Math.sinh)],
  ["cosh", ofOne(Math.cosh)],
  ["tanh", ofOne(Math.tanh)],
  ["floor", ofRounded(Math.floor)],
  ["ceil", ofRounded(Math.ceil)],
  ["trunc", ofRounded(Math.trunc)],
  ["round", of(1, 2, (value = 0, digits = 0) => roundTo(value, digits))],
  ["min", of(1, Number.POSITIVE_INFINITY, Math.min)],
  ["max", of(1, Number.POSITIVE_INFINITY, Math.max)],
  ["sum", of(1, Number.POSITIVE_INFINITY, sumOf)],
  ["avg", of(1, Number.POSITIVE_INFINITY, (...values) => sumOf(...values) / values.length)],
]);

/** The value of a function, which may be NaN or infinite. Throws for unknown functions and a wrong number of values. */
export function applyFunction(name: string, values: readonly number[]): number {
  const known = functions.get(name);
  if (known === undefined) throw new CalculatorError("unknown_function", `Unknown function "${name}". ${suggestion(name, functions)}`);
  const { least, most, apply } = known;
  if (values.length < least || values.length > most) {
    const due = most === Number.POSITIVE_INFINITY ? `at least ${least}` : least === most ? `${least}` : `${least} to ${most}`;
    const advice = name === "log" ? " Write ln(x), log10(x) or log(x, base), because log(x) means either." : "";
    throw new CalculatorError("wrong_arguments", `${name} takes ${due} number(s), got ${values.length}.${advice}`);
  }
  return apply(...values);
}

/** `Use one of: ...`; the lower-case name if it is known. */
export function suggestion(name: string, known: ReadonlyMap<string, unknown>): string {
  const lower = name.toLowerCase();
  return known.has(lower) ? `Write ${lower}.` : `Use one of: ${[...known.keys()].join(", ")}.`;
}

function sumOf(...values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The platform's own for the usual bases: ln(1000) / ln(10) is a little less than 3. */
const logarithm = (value: number, base: number): number =>
  base === 10 ? Math.log10(value) : base === 2 ? Math.log2(value) : Math.log(value) / Math.log(base);

/** Half away from zero, as people round; the platform's own rounds -2.5 to -2. */
function roundTo(value: number, digits: number): number {
  if (!Number.isInteger(digits) || Math.abs(digits) > 15) {
    throw new CalculatorError("wrong_arguments", `round takes a whole number of digits from -15 to 15, got ${digits}.`);
  }
  const scaled = rounded(Math.abs(value) * 10 ** digits);
  return Number.isFinite(scaled) ? (Math.sign(value) * Math.round(scaled)) / 10 ** digits : value;
}
