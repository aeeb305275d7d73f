import fc from "fast-check";
import { type Confirmation, confirmationCard, confirmationCardHtml } from "../../src/confirmation/index.js";
import { summaryOf, wholeSummaryOf } from "../../src/confirmation/handlers/terminal/summary.js";
import { confirmationWith } from "../support/confirmation.js";

const screen = { columns: 80, rows: 24 };

/** What a person sees of a call at once, in each form. */
const forms: readonly [string, (confirmation: Confirmation) => string][] = [
  ["at the terminal", (confirmation) => summaryOf(confirmation, screen).text.replaceAll("\n  | ", "\n")],
  [
    "on a card",
    (confirmation) =>
      confirmationCard(confirmation)
        .arguments.map(({ name, text }) => `${name}: ${text}`)
        .join("\n"),
  ],
  ["on a page", (confirmation) => confirmationCardHtml(confirmation, { action: "/" })],
];

const deep = (levels: number): unknown => (levels === 0 ? "x" : { inner: deep(levels - 1), list: [levels] });

const floods: readonly [string, unknown][] = [
  ["a long text", "x".repeat(6_812)],
  ["many lines", "x\n".repeat(3_000)],
  ["many blanks", `${" ".repeat(50_000)}x`],
  ["many items", Array.from({ length: 5_000 }, (_, index) => index)],
  ["many members", Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`member${index}`, index]))],
  ["a deep object", deep(200)],
  ["long texts in lists in lists", Array.from({ length: 60 }, () => Array.from({ length: 60 }, () => "y".repeat(500)))],
  ["a member with a long name", { ["n".repeat(60_000)]: 1 }],
  ["characters that can't be seen", "\u202e".repeat(20_000)],
  ["wide characters", "東".repeat(20_000)],
];

describe.each(forms)("%s", (_form, shown) => {
  it.each(floods)("%s can't push another argument out of sight", (_what, flood) => {
    const text = shown(confirmationWith({ input: { note: flood, amount: 250_001, to: "ann" } }));
    expect(text).toContain("250001");
    expect(text).toContain("ann");
    expect(text).toMatch(/\.\.\. [\d,]+\s+(more\s+)?\w+\s+not shown/);
    expect(text.length).toBeLessThan(20_000);
  });

  it("a long text can't push another member of the same argument out of sight", () => {
    const order = { note: "x".repeat(100_000), lines: Array.from({ length: 900 }, () => "y\n".repeat(90)), amount: 250_001 };
    expect(shown(confirmationWith({ input: { order } }))).toContain("250001");
  });

  it("arguments that the model made up can't push the first ones out of sight", () => {
    const made = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`made up ${index} ${"z".repeat(200)}`, "w".repeat(300)]));
    const text = shown(confirmationWith({ input: { amount: 250_001, ...made } }));
    expect(text).toContain("250001");
    expect(text).toMatch(/[\d,]+ more \w+ not shown/);
  });

  it("a long description can't push the arguments out of sight", () => {
    expect(shown(confirmationWith({ description: "Does it.\n".repeat(5_000), input: { amount: 250_001 } }))).toContain("250001");
  });
});

describe("what isn't shown", () => {
  const textOf = (value: unknown, others: object = {}): string | undefined =>
    confirmationCard(confirmationWith({ input: { note: value, ...others } })).arguments[0]?.text;

  it("is counted behind a long text", () => {
    expect(textOf("x".repeat(6_812))).toBe(`"${"x".repeat(2_000)}"\n... 4,812 more characters not shown`);
  });

  it("is counted behind many lines, items and members, and in the place of what is nested too deeply", () => {
    expect(textOf("ab\n".repeat(100))).toMatch(/ab"\n\.\.\. 181 more characters not shown$/);
    expect(textOf([...Array(60).keys()])).toMatch(/49\n {2}\.\.\. 10 more items not shown\n\]$/);
    expect(textOf(Object.fromEntries([...Array(51).keys()].map((key) => [`m${key}`, 1])))).toMatch(
      /\n {2}\.\.\. 1 more member not shown\n\}$/,
    );
    expect(textOf(deep(9))).toContain("{ ... 2 members not shown }");
  });

  it("is never part of a number, or of a text that fits", () => {
    expect(textOf(12_345_678_901, { long: "x".repeat(90_000) })).toBe("12345678901");
    expect(textOf("x".repeat(2_000))).toBe(`"${"x".repeat(2_000)}"`);
  });

  it("leaves no half of a character behind", () => {
    expect(textOf(`${"x".repeat(1_999)}🎉${"x".repeat(999)}`)).toBe(`"${"x".repeat(1_999)}"\n... 1,001 more characters not shown`);
  });

  it("can't be imitated by the name of an argument", () => {
    const { arguments: shown } = confirmationCard(confirmationWith({ input: { "...": "3 more arguments not shown" } }));
    expect(shown).toEqual([{ name: '"..."', text: '"3 more arguments not shown"' }]);
  });
});

describe("the terminal", () => {
  it("is never filled by more lines than it has", () => {
    const rows = fc.integer({ min: 16, max: 60 });
    const input = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 60 });
    fc.assert(
      fc.property(rows, input, fc.string({ unit: "binary", maxLength: 3_000 }), (height, made, long) => {
        const { text } = summaryOf(confirmationWith({ description: long, input: { ...made, long } }), { columns: 80, rows: height });
        expect(text.split("\n").length).toBeLessThanOrEqual(height - 3);
      }),
      { numRuns: 60 },
    );
  });

  it("says whether everything is there, and can show everything", () => {
    expect(summaryOf(confirmationWith(), screen).isWhole).toBe(true);
    const long = confirmationWith({ input: { note: "x".repeat(9_000), list: [...Array(300).keys()] } });
    expect(summaryOf(long, screen).isWhole).toBe(false);
    const whole = wholeSummaryOf(long, screen);
    expect(whole).not.toContain("not shown");
    expect(whole.match(/x/g)?.length).toBeGreaterThanOrEqual(9_000);
    expect(whole).toContain("299");
  });
});

it("breaks long lines on a page, if blanks would push what follows out of it", () => {
  expect(confirmationCardHtml(confirmationWith(), { action: "/" })).toMatch(/<pre dir="auto" wrap>/);
});
