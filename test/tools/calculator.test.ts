import fc from "fast-check";
import { invokeTool } from "../../src/testing/index.js";
import { calculate } from "../../src/tools/calculator/calculate.js";
import type { CalculatorError } from "../../src/tools/calculator/calculator-error.js";
import { constants, functions } from "../../src/tools/calculator/functions.js";
import { CalculatorTool } from "../../src/tools/index.js";

const failureOf = (expression: string): CalculatorError => {
  try {
    calculate(expression);
  } catch (error) {
    return error as CalculatorError;
  }
  throw new Error(`${expression} has a value`);
};

describe('seed 000, "calculatorTool"', () => {
  it("evaluates mathematical expressions", async () => {
    expect(await invokeTool(CalculatorTool, { expression: "2 + 2" })).toEqual({ result: 4 });
  });

  it("of an empty expression and of a division by zero is a failed call that says what to do", async () => {
    await expect(invokeTool(CalculatorTool, { expression: " " })).rejects.toThrow("The expression is empty. Give one, such as 2 + 2 * 3.");
    await expect(invokeTool(CalculatorTool, { expression: "1/0" })).rejects.toThrow("1 / 0 is a division by zero, which has no result.");
  });

  it("has the seed's input and output schema", () => {
    expect(CalculatorTool.definition).toMatchObject({
      name: "calculator",
      parametersSchema: {
        type: "object",
        properties: { expression: { type: "string", description: "Math expression like '2 + 2'" } },
        required: ["expression"],
      },
      outputSchema: { type: "object", properties: { result: { type: "number" } } },
    });
  });

  it("only reads: the model may try again", () => {
    expect(CalculatorTool.definition).toMatchObject({ category: "read", effect: "none", retryable: true, requiresConfirmation: false });
  });

  it("names all its functions and constants in its description", () => {
    const { description } = CalculatorTool.definition;
    for (const name of [...functions.keys(), ...constants.keys()]) expect(description).toMatch(new RegExp(`\\b${name}\\b`));
  });
});

describe("the order of operations", () => {
  it.each([
    ["2 + 2 * 3", 8],
    ["8 / 4 / 2", 1],
    ["8 - 4 - 2", 2],
    ["2 ^ 3 ^ 2", 512],
    ["2 ** 3", 8],
    ["-2 ^ 2", -4],
    ["(-2) ^ 2", 4],
    ["2 ^ -1", 0.5],
    ["2 * -3", -6],
    ["--1", 1],
    ["-3!", -6],
    ["2 ^ 3!", 64],
    ["((1 + 2) * (3 + 4))", 21],
    ["\n2\t+ 2 ", 4],
  ])("%j is %d", (expression, value) => expect(calculate(expression)).toBe(value));
});

describe("results are what a person would write", () => {
  it.each([
    ["0.1 + 0.2", 0.3],
    ["1.1 * 3", 3.3],
    ["1 / 3", 0.333333333333333],
    ["0.3 % 0.1", 0],
    ["-7 % 3", 2],
    ["7 % (-3)", -2],
    ["5.5 % 2", 1.5],
    ["floor((0.1 + 0.7) * 10)", 8],
    ["round(2.5)", 3],
    ["round(-2.5)", -3],
    ["round(1.005, 2)", 1.01],
    ["round(123456, -2)", 123500],
    ["log10(1000)", 3],
    ["log(8, 2)", 3],
    ["log(1000, 10)", 3],
    ["ln(e)", 1],
    ["cbrt(-8)", -2],
    ["max(1, 200, 3)", 200],
    ["avg(1, 2, 3, 4)", 2.5],
    ["2 ^ 53", 9007199254740992],
    ["9007199254740991 - 1", 9007199254740990],
    ["20!", 2432902008176640000],
    ["0 * -1", 0],
    ["1.41421356237309504880 ^ 1", Number("1.41421356237310")],
  ])("%j is %d", (expression, value) => expect(Object.is(calculate(expression), value)).toBe(true));
});

describe("what has no value", () => {
  it.each([
    ["", "empty", "Give one, such as 2 + 2 * 3."],
    ["1 / 0", "division_by_zero", "Give a divisor other than 0."],
    ["5 % 0", "division_by_zero", "Give a divisor other than 0."],
    ["0 ^ -1", "division_by_zero", "0 ^ -1"],
    ["sqrt(-1)", "no_real_result", "sqrt has no real result"],
    ["(-8) ^ (1 / 3)", "no_real_result", "^ has no real result"],
    ["ln(0)", "not_finite", "ln"],
    ["1e308 * 10", "not_finite", "1.8e308"],
    ["1e999", "not_finite", "1.8e308"],
    ["171!", "wrong_arguments", "0 to 170"],
    ["2.5!", "wrong_arguments", "whole numbers"],
    ["log(100)", "wrong_arguments", "Write ln(x), log10(x) or log(x, base)"],
    ["max()", "wrong_arguments", "at least 1"],
    ["round(1, 0.5)", "wrong_arguments", "whole number of digits"],
    ["12345678901234567.5", "precision", "1.23456789012346e+16"],
    ["1,000 + 2", "syntax", "write 1000, not 1,000"],
    ["max(1,000, 2)", "syntax", "write 1000, not 1,000"],
    ["50% + 2", "syntax", "write 50 / 100"],
    ["10%", "syntax", "write 50 / 100"],
    ["2 × 3", "syntax", "Write * for times."],
    ["x = 3", "syntax", "no equations"],
    ["3!!", "syntax", "Write (3!)!"],
    ["2pi", "syntax", "Write every operator"],
    ["(1 + 2", "syntax", 'A ")" is missing.'],
    ["sin 3", "syntax", "no words"],
    ["sin", "syntax", "Write sin(x)."],
    ["PI", "unknown_name", "Write pi."],
    ["x + 1", "unknown_name", "Use one of: pi, e."],
    ["Sqrt(4)", "unknown_function", "Write sqrt."],
    ["1+".repeat(600), "too_long", "at most 1000"],
    ["(".repeat(200), "too_deep", "100 levels"],
    ["-".repeat(200), "too_deep", "100 levels"],
  ] as const)("%j: %s, and says %j", (expression, code, advice) => {
    const failure = failureOf(expression);
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(advice);
  });

  it("reaches the model as a failed call, which it can correct", async () => {
    await expect(invokeTool(CalculatorTool, { expression: "1/0" })).rejects.toThrow(
      "Error during execution of tool 'calculator': 1 / 0 is a division by zero, which has no result. Give a divisor other than 0.",
    );
  });

  it("names the place of the mistake", () => expect(failureOf("1 + 2 $ 3").message).toContain('Unexpected "$" at character 7.'));
});

it("sums of numbers are JavaScript's, to 15 digits", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 20 }), (numbers) => {
      const sum = numbers.reduce((total, number) => total + number);
      expect(calculate(numbers.map((number) => `(${number})`).join(" + "))).toBeCloseTo(sum, 4);
    }),
  );
});
