import { metadataChain } from "../../src/tool/metadata.js";
import { evaluate } from "./in-dialect.js";
import { mistakesOf } from "./metadata-of.js";

const run = (source: string) => evaluate("legacy", source);

const callParametersOf = (constructor: object) => {
  const entries = [...metadataChain(constructor).at(-1)!.callParameters!].sort(([a], [b]) => a - b);
  return entries.map(([index, { name, required, type, options }]) => ({ index, name, required, type, options }));
};

describe("@required and @optional on a parameter of call (legacy dialect)", () => {
  it.each([
    ["a name", '"city"', undefined, {}],
    ["a name and a type", '"city", String', String, {}],
    ["a name and a description", '"city", "The city"', undefined, { description: "The city" }],
    ["a name, a type and a description", '"city", String, "The city"', String, { description: "The city" }],
    ["a name, a type and options", '"city", String, { minLength: 1 }', String, { minLength: 1 }],
    ["a name and options", '"city", { enum: ["a"] }', undefined, { enum: ["a"] }],
  ])("take %s", (_, written, type, options) => {
    const { Example } = run(`export class Example { call(@required(${written}) a, @optional(${written}) b) {} }`);
    expect(callParametersOf(Example)).toEqual([
      { index: 0, name: "city", required: true, type, options },
      { index: 1, name: "city", required: false, type, options },
    ]);
  });

  it("leave the context's place free, wherever it is", () => {
    const { Example } = run('export class Example { call(@required("a", String) a, context, @required("b", String) b) {} }');
    expect(callParametersOf(Example).map(({ index }) => index)).toEqual([0, 2]);
  });

  it("keep the emitted type of each parameter", () => {
    const { Example } = run('export class Example { call(@required("a") a: string, @required("b") b: Date) {} }');
    const parameters = metadataChain(Example)[0]!.callParameters!;
    expect([0, 1].map((index) => parameters.get(index)!.designType())).toEqual([
      { known: true, type: String },
      { known: true, type: Date },
    ]);
  });

  it("say that no type was emitted if none was", () => {
    const { Example } = evaluate("legacy", 'export class Example { call(@required("a") a: string) {} }', { emitDecoratorMetadata: false });
    expect(metadataChain(Example)[0]!.callParameters!.get(0)!.designType()).toEqual({ known: false, reason: "not_emitted" });
  });

  it.each([
    [
      "without a name",
      "call(context, @required(String) city) {}",
      '@required on parameter 2 of call: its name can\'t be read at run time. Write it first: @required("name", String).',
    ],
    [
      "with an empty name",
      'call(@required("", String) city) {}',
      '@required on parameter 1 of call: its name can\'t be read at run time. Write it first: @required("name", String).',
    ],
    [
      "twice",
      'call(@required("a", String) @optional("b", String) city) {}',
      "@required on parameter 1 of call: it is decorated twice. Keep one of @required and @optional.",
    ],
    [
      "of another method",
      'search(@required("city", String) city) {}',
      "@required on parameter 1 of search(): a parameter is a public instance field, or a parameter of call. Move the decorator to one.",
    ],
    [
      "of a static call",
      'static call(@required("city", String) city) {}',
      "@required on parameter 1 of static call(): a parameter is a public instance field, or a parameter of call. Move the decorator to one.",
    ],
    [
      "of the constructor",
      'constructor(@required("city", String) city) {}',
      "@required on parameter 1 of the constructor: a parameter is a public instance field, or a parameter of call. Move the decorator to one.",
    ],
    [
      "by @input",
      "call(@input(Date) city) {}",
      "@input on parameter 1 of call: it is for a public instance field. Move the decorator to one.",
    ],
    [
      "by a class decorator",
      "call(@timeout(5) city) {}",
      "@timeout on parameter 1 of call: it is for the class. Move the decorator above the class.",
    ],
  ])("report the mistake of decorating a parameter %s", (_, member, mistake) => {
    const { Example } = run(`export class Example { ${member} }`);
    expect(mistakesOf(Example)).toEqual([mistake]);
  });
});
