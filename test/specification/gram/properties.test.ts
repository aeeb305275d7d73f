import fc from "fast-check";
import {
  GramError,
  type GramAnnotated,
  type GramDocument,
  type GramLabel,
  type GramNode,
  type GramPatternElement,
  type GramProperty,
  type GramSubject,
  type GramValue,
  parseGram,
  parseTypeSignature,
  printGram,
  printTypeSignature,
  type TypeSignature,
} from "../../../src/specification/gram/index.js";
import { withoutSpans } from "../../support/gram.js";

const symbol = fc.stringMatching(/^[a-zA-Z_][0-9a-zA-Z_.\-@]{0,5}$/);
/** Any text, with what could end it, escape from it or be taken for something else more often than chance would have it. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc
    .array(fc.constantFrom("`", '"', "'", "\\", "\n", "\r", "\t", " ", "//", "```", "a", "null", "]", "}", "\u2028"), { maxLength: 8 })
    .map((parts) => parts.join("")),
);
const separator = fc.constantFrom(":" as const, "::" as const);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const defined = <T extends object>(value: T): T => withoutSpans(value);

const number = fc
  .oneof(
    fc.bigInt().map(String),
    fc.stringMatching(/^-?(?:0|[1-9]\d{0,4})\.\d{1,4}$/),
    fc.stringMatching(/^0x[0-9a-fA-F]{1,4}$/),
    fc.stringMatching(/^0[0-7]{1,4}$/),
  )
  .map((digits) => ({ kind: "number" as const, text: digits }));
const measurement = fc
  .stringMatching(/^-?(?:0|[1-9]\d{0,3})[a-zA-Z]{1,3}$/)
  .filter((each) => !/^0x[0-9a-fA-F]+$/.test(each))
  .map((amount) => ({ kind: "measurement" as const, text: amount }));
const end = fc.oneof(number, measurement);
/** What is written between fences as it is. */
const fenceless = text.filter((each) => !/```|\r/.test(each));

const scalar: fc.Arbitrary<GramValue> = fc.oneof(
  text.map((value) => ({ kind: "string" as const, value })),
  fenceless.map((value) => ({ kind: "string" as const, value, fenced: true })),
  fc.tuple(symbol, text).map(([tag, value]) => ({ kind: "tagged" as const, tag, value })),
  fc.tuple(symbol, fenceless).map(([tag, value]) => ({ kind: "tagged" as const, tag, value, fenced: true })),
  symbol.filter((name) => name !== "true" && name !== "false").map((name) => ({ kind: "symbol" as const, name })),
  fc.boolean().map((value) => ({ kind: "boolean" as const, value })),
  end,
  fc.tuple(end, optional(end)).map(([lower, upper]) => defined({ kind: "range" as const, lower, upper }) as GramValue),
  end.map((upper) => ({ kind: "range" as const, upper })),
);
const entries = (value: fc.Arbitrary<GramValue>, between: fc.Arbitrary<":" | "::">): fc.Arbitrary<GramProperty[]> =>
  fc.array(fc.record({ key: fc.oneof(symbol, text), separator: between, value }), { maxLength: 3 });
const value: fc.Arbitrary<GramValue> = fc.oneof(
  { arbitrary: scalar, weight: 4 },
  fc.array(scalar, { minLength: 1, maxLength: 3 }).map((items) => ({ kind: "array" as const, items })),
  entries(scalar, fc.constant(":")).map((each) => ({ kind: "map" as const, entries: each })),
);

const identifier = fc.oneof(symbol, text, fc.integer().map(String));
const labels: fc.Arbitrary<GramLabel[]> = fc.array(fc.record({ separator, name: fc.oneof(symbol, text) }), { minLength: 1, maxLength: 3 });
const subject: fc.Arbitrary<GramSubject> = fc
  .record({ identifier: optional(identifier), labels: optional(labels), record: optional(entries(value, separator)) })
  .map((each) => defined(each) as GramSubject);
const node: fc.Arbitrary<GramNode> = subject.map((each) => ({ kind: "node" as const, ...each }));
const step = fc.record({
  arrow: fc
    .record({
      family: fc.constantFrom("-" as const, "=" as const, "~" as const),
      direction: fc.constantFrom("right" as const, "left" as const, "both" as const, "none" as const),
    })
    .chain((arrow) => subject.map((each) => ({ ...each, ...arrow }))),
  node,
});
const path = fc
  .tuple(node, step, fc.array(step, { maxLength: 2 }))
  .map(([start, first, others]) => ({ kind: "path" as const, start, steps: [first, ...others] as const }));

const { element } = fc.letrec<{ element: GramPatternElement }>((tie) => ({
  element: fc.oneof(
    { maxDepth: 3 },
    node as fc.Arbitrary<GramPatternElement>,
    path as fc.Arbitrary<GramPatternElement>,
    identifier.map((each) => ({ kind: "reference" as const, identifier: each })),
    fc
      .tuple(subject, fc.array(tie("element"), { maxLength: 3 }))
      .map(([each, elements]) => ({ kind: "pattern" as const, ...each, elements })),
  ),
}));
const topElement = element.filter((each) => each.kind !== "reference");
const annotated = fc
  .record({
    identifier: optional(identifier),
    labels: optional(labels),
    annotations: fc.array(fc.record({ key: symbol, value }), { maxLength: 3 }),
    element: topElement,
  })
  .filter((each) => each.annotations.length > 0 || each.identifier !== undefined || each.labels !== undefined)
  .map((each) => defined({ kind: "annotated" as const, ...each }) as GramAnnotated);
const document = fc
  .record({ header: optional(entries(value, separator)), patterns: fc.array(fc.oneof(topElement, annotated), { maxLength: 3 }) })
  .map((each) => defined({ kind: "document" as const, ...each }) as GramDocument);

describe("whatever a gram tree holds,", () => {
  it("its text is read as the same tree", () => {
    fc.assert(
      fc.property(document, (tree) => expect(withoutSpans(parseGram(printGram(tree)))).toEqual(tree)),
      { numRuns: 200 },
    );
  });

  it("its text is printed as it is", () => {
    fc.assert(
      fc.property(document, (tree) => {
        const printed = printGram(tree);
        expect(printGram(parseGram(printed))).toBe(printed);
      }),
    );
  });
});

const json = fc.jsonValue({ maxDepth: 3 });
const keywords = fc.dictionary(
  fc.oneof(
    fc.constantFrom("description", "title", "examples", "const"),
    fc.string({ maxLength: 4 }).map((key) => `x-${key}`),
  ),
  json,
  { maxKeys: 3, noNullPrototype: true },
);
/** Keywords of JSON Schema have values of their own kind; those here are legal, whatever the values. */
const described = keywords.map(({ description, title, examples, ...others }) => ({
  ...others,
  ...(typeof description === "string" ? { description } : {}),
  ...(typeof title === "string" ? { title } : {}),
  ...(Array.isArray(examples) ? { examples } : {}),
}));
const { schema: schemas } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
  schema: fc
    .tuple(
      described,
      fc.oneof(
        { maxDepth: 2 },
        fc.constantFrom({}, { type: "string" }, { type: "integer" }, { type: "null" }, { type: ["string", "null"] }, { enum: [1, null] }),
        tie("schema").map((items) => ({ type: "array", items })),
        fc.array(tie("schema"), { minLength: 1, maxLength: 2 }).map((anyOf) => ({ anyOf })),
        fc
          .tuple(fc.dictionary(fc.string({ maxLength: 3 }), tie("schema"), { maxKeys: 3, noNullPrototype: true }), fc.boolean())
          .map(([properties, all]) => ({ type: "object", properties, ...(all ? { required: Object.keys(properties) } : {}) })),
      ),
    )
    .map(([annotations, type]) => ({ ...annotations, ...type })),
}));
const signature = fc.record({
  parameters: fc.uniqueArray(fc.record({ name: fc.string({ minLength: 1, maxLength: 4 }), schema: schemas, required: fc.boolean() }), {
    selector: ({ name }) => name,
    maxLength: 4,
  }),
  returns: schemas,
}) as fc.Arbitrary<TypeSignature>;

describe("whatever a type signature says,", () => {
  it("its text is read as the same signature", () => {
    fc.assert(
      fc.property(signature, (each) => expect(parseTypeSignature(printTypeSignature(each))).toEqual({ ok: true, value: each })),
      { numRuns: 150 },
    );
  });
});

const pieces = [
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  "|",
  ",",
  ":",
  "::",
  "@",
  "@@",
  "-",
  "=",
  "~",
  "<",
  ">",
  "==>",
  "-->",
  ".",
  "..",
  "...",
  "0",
  "7",
  "1.5",
];
const words = [
  "Text",
  "Maybe",
  "Any",
  "Object",
  "a",
  "true",
  "null",
  "default",
  "enum",
  "fields",
  "type",
  "optional",
  "$defs",
  "__proto__",
  "constructor",
];
const marks = ['"', "'", "`", "```", "\n", " ", "\t", "\\", "//", "é", "\u0000", "\ud800", "\ufeff"];
const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.constantFrom(...pieces, ...words, ...marks), { maxLength: 40 }).map((parts) => parts.join("")),
  // A legal text with one change.
  fc
    .tuple(
      fc.oneof(document.map(printGram), signature.map(printTypeSignature)),
      fc.nat(),
      fc.nat({ max: 3 }),
      fc.constantFrom(...pieces, ...marks, ""),
    )
    .map(([legal, at, dropped, piece]) => {
      const place = at % (legal.length + 1);
      return legal.slice(0, place) + piece + legal.slice(place + dropped);
    }),
);

describe("whatever a text is,", () => {
  it("parseGram reads it or throws GramError, whose place is in the text", () => {
    fc.assert(
      fc.property(hostile, fc.boolean(), (each, typeSignatures) => {
        try {
          parseGram(each, { typeSignatures });
        } catch (error) {
          if (!(error instanceof GramError)) throw error;
          expect(error.offset).toBeLessThanOrEqual(each.length);
          expect(error.line).toBe(each.slice(0, error.offset).split("\n").length);
        }
      }),
      { numRuns: 600 },
    );
  });

  it("parseTypeSignature never throws", () => {
    fc.assert(
      fc.property(hostile, (each) => expect(typeof parseTypeSignature(each).ok).toBe("boolean")),
      { numRuns: 300 },
    );
  });

  const records = entries(fc.oneof(value, scalar), fc.constant(":")).map((each) =>
    each.map((property, index) => ({
      ...property,
      key: ["default", "enum", "type", "items", "properties", "required", "$ref", "$defs"][(index + property.key.length) % 8] ?? "",
    })),
  );
  it("parseTypeSignature never throws, whatever stands in the records", () => {
    fc.assert(
      fc.property(records, fc.constantFrom("Any", "Array", "Object", "Int"), (record, name) => {
        const parameter = printGram({ kind: "node", labels: [{ separator: "::", name }], record });
        expect(typeof parseTypeSignature(`${parameter}==>(::String)`).ok).toBe("boolean");
      }),
      { numRuns: 300 },
    );
  });
});
