import fc from "fast-check";
import { type LimitedWorker, limitedWorker } from "./limited-worker.js";
import { repeats } from "../support/repeats.js";

/** Milliseconds and megabytes that an expression may take. */
const limits = { slow: 50, memory: 64 };

let calculator: LimitedWorker;
beforeAll(() => {
  calculator = limitedWorker("src/tools/calculator/calculate.ts", "calculate", limits);
});
afterAll(() => calculator.stop());

async function expectAnswer(expression: string): Promise<void> {
  const { value, error, time } = await calculator.run(expression);
  expect(time).toBeLessThan(limits.slow);
  if (error === undefined) return expect(Number.isFinite(value)).toBe(true);
  expect(error.name).toBe("CalculatorError");
  expect(error.message).toMatch(/\.$/);
  expect(error.message.length).toBeLessThan(2_300);
}

describe("whatever the text, the calculator gives a finite number, or an error with advice, within 50 ms and 64 MB", () => {
  const words = [
    ...[
      "0",
      "1",
      "9",
      "170",
      ".",
      "e",
      "pi",
      "1e308",
      "1e-308",
      "(",
      ")",
      "((((",
      "))))",
      "+",
      "-",
      "*",
      "**",
      "/",
      "%",
      "^",
      "!",
      ",",
      " ",
    ],
    ...[
      "sqrt(",
      "max(",
      "sum(",
      "round(",
      "log(",
      "constructor",
      "__proto__",
      "toString(",
      "\\u0031",
      "１",
      "\n",
      "\u0000",
      "\ud800",
      "🌹",
    ],
  ];
  const word = fc.constantFrom(...words);

  it("whose characters are any", async () => {
    const texts = fc.string({ unit: "binary", maxLength: 1_200 });
    await fc.assert(fc.asyncProperty(texts, expectAnswer), { numRuns: repeats(500) });
  });

  it("whose parts are those of expressions, in any order", async () => {
    const texts = fc.array(word, { maxLength: 1_000 }).map((parts) => parts.join("").slice(0, 1_000));
    await fc.assert(fc.asyncProperty(texts, expectAnswer), { numRuns: repeats(2_000) });
  });

  it("whose parts are repeated, up to a million characters", async () => {
    const repeated = fc
      .tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.oneof(fc.nat(1_000), fc.nat(300_000)), word)
      .map(([parts, times, end]) => parts.join("").repeat(times).slice(0, 1_000_000) + end);
    await fc.assert(fc.asyncProperty(repeated, expectAnswer), { numRuns: repeats(300) });
  });

  const worst = [
    `9${"^9".repeat(499)}`,
    `170!${"*170!".repeat(199)}`,
    `${"sin(".repeat(90)}1${")".repeat(90)}`,
    `${"max(1,".repeat(90)}1${")".repeat(90)}`,
    `${"(".repeat(500)}${")".repeat(500)}`,
    `max(${"1,".repeat(490)}1)`,
    `1${"+1".repeat(499)}`,
    "-".repeat(1_000),
    "9".repeat(1_000),
    `0.${"0".repeat(997)}1`,
    `1e${"9".repeat(998)}`,
    "1e".repeat(500),
    ".".repeat(1_000),
    "a".repeat(1_000),
    "1,".repeat(500),
    " ".repeat(1_000),
    " ".repeat(1_000_000),
  ];
  it.each(worst.map((expression) => [`${expression.slice(0, 12)}...`, expression] as const))("at its worst: %j", (_, expression) =>
    expectAnswer(expression),
  );

  it.each([
    ["time", 'no end within 2000 ms: "time"'],
    // Newer versions of Node collect garbage for longer before they give up.
    ["memory", /memory limit|no end within 2000 ms: "memory"/],
  ])("while a work that takes all %s is noticed", async (what, message) => {
    const endless = limitedWorker("test/tools/endless.ts", "endless", limits);
    await expect(endless.run(what)).rejects.toThrow(message);
    await endless.stop();
  });
});
