import { acceptSchema, describeFaults, type JsonSchema } from "../../src/schema/index.js";
import { compileSchema, parseArgumentsText } from "../../src/schema/internal.js";
import { describeData, readJson } from "../support/data.js";
import { atOnce, processorTimeOf } from "../support/processor-time.js";

type Input =
  | string
  | { readonly gen: "nest"; readonly open: string; readonly close: string; readonly mid?: string; readonly n: number }
  | { readonly gen: "array"; readonly n: number }
  | { readonly gen: "repeat"; readonly pre?: string; readonly s: string; readonly mid?: string; readonly end?: string; readonly n: number }
  | { readonly pattern: string; readonly value: string };

type Expectation = string | { readonly ok: unknown; readonly repaired?: boolean; readonly coerced?: boolean };

interface HostileArguments {
  readonly input: Input;
  readonly expect: Expectation;
  readonly also?: Expectation;
  readonly why: string;
}

/** The tool that the items were written for: what each parameter takes is said by the items themselves. */
const schema: JsonSchema = acceptSchema({
  type: "object",
  additionalProperties: false,
  properties: {
    a: { anyOf: [{ type: "integer" }, { type: "object" }, { type: "boolean" }] },
    b: { type: ["boolean", "null"] },
    s: { type: "string" },
    re: { type: "string" },
    p: { type: "string" },
    list: { type: "array", items: { type: "integer" } },
    o: { type: "object" },
    meta: { type: "object", additionalProperties: { type: "string" } },
    constructor: { type: "object" },
  },
});

function generate(input: Exclude<Input, string | { readonly pattern: string }>): string {
  switch (input.gen) {
    case "nest":
      return input.open.repeat(input.n) + (input.mid ?? "") + input.close.repeat(input.n);
    case "array":
      return JSON.stringify({ list: new Array(input.n).fill(0) });
    case "repeat":
      return (input.pre ?? "") + input.s.repeat(input.n) + (input.mid ?? "") + (input.end ?? "").repeat(input.n);
  }
}

/** What came of a text, in the words of the items: `error:<code>`, or the value and how it was reached. */
function outcome(text: string): Expectation {
  const parsed = parseArgumentsText(text);
  if (!parsed.ok) return `error:${parsed.error.code}`;
  const checked = compileSchema(schema).validate(parsed.value, { owned: true, repair: true });
  if (!checked.ok) return checked.error.some(({ keyword }) => keyword === "additionalProperties") ? "error:unknown_key" : "error:type";
  const structural = checked.repairs?.some(({ to }) => typeof to === "object");
  return {
    ok: checked.value,
    ...(parsed.repaired || structural ? { repaired: true } : {}),
    ...(checked.repairs !== undefined && !structural ? { coerced: true } : {}),
  };
}

/** `blank*3+x` is three blanks and an x. */
const spell = (value: string): string =>
  value.replace(/(\w+)\*(\d+)\+?/g, (_, unit: string, count: string) => (unit === "blank" ? " " : unit).repeat(Number(count)));

const accepted = (expected: Expectation): readonly Expectation[] =>
  expected === "error:too_deep_or_malformed"
    ? ["error:too_deep", "error:malformed_json", "error:truncated"]
    : expected === "rule:empty"
      ? [{ ok: {} }]
      : [expected];

describeData(["hostile/args.json"], (path) => {
  for (const { input, expect: expected, also, why } of readJson<HostileArguments[]>(path)) {
    const shown = JSON.stringify(input).slice(0, 60);
    if (typeof input === "object" && "pattern" in input) {
      it(`${shown}: ${why}: answers at once`, () => {
        const pattern = acceptSchema({ type: "string", pattern: input.pattern });
        const time = processorTimeOf(() => {
          compileSchema(pattern).validate(spell(input.value), { owned: false, repair: false });
          compileSchema(pattern).validate(`x${spell(input.value)}`, { owned: false, repair: false });
        });
        expect(time).toBeLessThan(atOnce);
      });
    } else {
      it(`${shown}: ${why}: ${JSON.stringify(expected)}`, () => {
        const time = processorTimeOf(() => {
          const result = outcome(typeof input === "string" ? input : generate(input));
          expect([...accepted(expected), also]).toContainEqual(result);
        });
        expect(time).toBeLessThan(atOnce);
      });
    }
  }

  it("says of every refusal what to do instead, in one line", () => {
    const texts = readJson<HostileArguments[]>(path).flatMap(({ input }) => (typeof input === "string" ? [input] : []));
    for (const text of texts) {
      const parsed = parseArgumentsText(text);
      if (parsed.ok) continue;
      expect(parsed.error.message).toMatch(/^The .*\. (Send|Leave) .*\.$/);
      expect(parsed.error.message.length).toBeLessThan(300);
    }
  });
});

it("faults of arguments read as one line", () => {
  const checked = compileSchema(schema).validate({ a: "x", hoho: 1 }, { owned: false, repair: true });
  expect(checked.ok ? "" : describeFaults(checked.error)).toBe(
    'a must be an integer or an object or a boolean, got string "x"; hoho is unknown (known: a, b, s, re, p, list, o, meta, constructor)',
  );
});
