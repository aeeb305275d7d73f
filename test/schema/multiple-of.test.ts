import fc from "fast-check";
import { acceptSchema, type JsonSchema } from "../../src/schema/index.js";
import { compileSchema } from "../../src/schema/internal.js";

const accepts = (schema: JsonSchema, value: unknown): boolean =>
  compileSchema(acceptSchema(schema)).validate(value, { owned: false, repair: false }).ok;

/** The compiled engine judges the first form, the walk the second: `unevaluatedItems` is beyond the engine. */
const forms: readonly (readonly [string, (divisor: number) => JsonSchema])[] = [
  ["compiled", (multipleOf) => ({ type: "number", multipleOf })],
  ["walked", (multipleOf) => ({ type: "number", multipleOf, unevaluatedItems: false }) as JsonSchema],
];

/** Numerator and denominator of the number as JSON writes it. */
function fractionOf(number: number): readonly [bigint, bigint] {
  const [mantissa = "", exponent = "0"] = number.toExponential().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const power = Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  return power >= 0 ? [digits * 10n ** BigInt(power), 1n] : [digits, 10n ** BigInt(-power)];
}

function isExactMultiple(number: number, divisor: number): boolean {
  // Beyond 2^53, the value that an integer has in memory counts as well as the digits that JSON writes.
  if (Number.isInteger(number) && Number.isInteger(divisor) && BigInt(number) % BigInt(divisor) === 0n) return true;
  const [numerator, denominator] = fractionOf(number);
  const [above, below] = fractionOf(divisor);
  return (numerator * below) % (denominator * above) === 0n;
}

describe.each(forms)("multipleOf, %s", (_form, schemaOf) => {
  it.each([
    [1070468.14, 0.01],
    [19.99, 0.01],
    [-1070468.14, 0.01],
    [0, 0.01],
    [-0, 0.3],
    [99999999.99, 0.01],
    [1e21, 0.01],
    [0.3, 0.1],
    [0.9, 0.3],
    [-0.9, 0.3],
    [3e-7, 1e-7],
    [1, 1e-7],
    [1.23e-7, 1e-9],
    [1e23, 10],
    [1e300, 1e299],
    [5e-324, 5e-324],
    [1.7976931348623157e308, 5e-324],
    [3e21, 3],
    [12391239123, 1e-8],
    [2 ** 60, 1024],
    [1e22, 10],
  ])("accepts %p for %p", (value, divisor) => {
    expect(accepts(schemaOf(divisor), value)).toBe(true);
  });

  it.each([
    [1070468.145, 0.01],
    [1e-11, 0.01],
    [0.30000000000000004, 0.1],
    [3.00000000001, 3],
    [1e21, 3],
    [-1e21, 3],
    [1e22, 3e-7],
    [9007199254740991, 2],
    [123456789012345680000, 7],
    [0.1, 1e-7 * 3],
    [5e-324, 1],
    [1, 1.7976931348623157e308],
  ])("rejects %p for %p", (value, divisor) => {
    expect(accepts(schemaOf(divisor), value)).toBe(false);
  });

  it("agrees with exact arithmetic for amounts, multiples and any numbers", () => {
    const anyNumber = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -1e10, max: 1e10 }).map((cents) => cents / 100),
      fc.constantFrom(0.01, 0.1, 0.3, 1e-7, 3, 7, 64, 1e21, 1e23, 2 ** 60, 5e-324),
    );
    const pairs = fc.oneof(
      fc.tuple(anyNumber, anyNumber),
      fc.tuple(anyNumber, fc.integer({ min: -1000, max: 1000 })).map(([unit, times]) => [unit * times, unit] as const),
    );
    fc.assert(
      fc.property(pairs, ([value, unit]) => {
        const divisor = Math.abs(unit);
        if (divisor === 0 || !Number.isFinite(value)) return;
        expect(accepts(schemaOf(divisor), value)).toBe(isExactMultiple(value, divisor));
      }),
      { numRuns: 1_000 },
    );
  });

  it("passes over what is no number", () => {
    const { type: _type, ...open } = schemaOf(0.01);
    expect(accepts(open, "0.001")).toBe(true);
  });
});

it("accepts every amount in cents for multipleOf 0.01", () => {
  const amounts = Array.from({ length: 5_000 }, (_, index) => Number(`${index * 19_937}.${String(index % 100).padStart(2, "0")}`));
  expect(accepts({ type: "array", items: { type: "number", multipleOf: 0.01 } }, amounts)).toBe(true);
});

it("ignores multipleOf beside a draft-07 reference", () => {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    definitions: { amount: { type: "number", multipleOf: 0.1 } },
    properties: { amount: { $ref: "#/definitions/amount", multipleOf: 7 } },
  };
  expect(accepts(schema, { amount: 0.3 })).toBe(true);
  expect(accepts(schema, { amount: 0.35 })).toBe(false);
});
