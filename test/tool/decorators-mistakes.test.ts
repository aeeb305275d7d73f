import { required, ToolDefinitionError, timeout } from "../../src/tool/index.js";
import { dialects, evaluate } from "./in-dialect.js";
import { fieldsOf, mistakesOf } from "./metadata-of.js";

const moveToField = "a parameter is a public instance field, or a parameter of call. Move the decorator to one.";
const moveToClass = "it is for the class. Move the decorator above the class.";

describe.each(dialects)("what an author gets wrong in the %s dialect", (dialect) => {
  const run = (source: string) => evaluate(dialect, source);

  it("throws an error with the name of the class when its definition is read", () => {
    const { Weather } = run(`@description("Weather.") export class Weather extends Tool { @required(String) static city; call() {} }`);
    expect(() => Weather.definition).toThrow(ToolDefinitionError);
    expect(() => Weather.definition).toThrow(`Weather: @required on static city: ${moveToField}`);
  });

  it.each([
    ["a static field", "@required(String) static city;", `@required on static city: ${moveToField}`],
    ["a method", "@optional(String) search() {}", `@optional on method search: ${moveToField}`],
    ["a symbol", "@required(String) [Symbol.iterator];", `@required on Symbol(Symbol.iterator): ${moveToField}`],
    [
      "a field twice",
      "@required(String) @optional(Number) city;",
      "@required on city: it is decorated twice. Keep one of @required and @optional.",
    ],
    [
      "a field, by a name as call's parameters have it",
      '@required("city", String) city;',
      '@required on city: a field takes no name. Write @required(String, "The description") city.',
    ],
    [
      "a field with an option that doesn't exist",
      '@required(String, { descripton: "The city" }) city;',
      '@required on city: unknown option "descripton". Did you mean "description"? Any JSON Schema can be given as schema.',
    ],
    [
      "a field with the name of a type in place of the type",
      '@required("string") city;',
      '@required on city: its description is "string", the name of a type. Write the type itself: @required(String).',
    ],
    [
      "a field with the name of a type in its options",
      '@optional({ description: "Integer", default: 1 }) city;',
      '@optional on city: its description is "Integer", the name of a type. Write the type itself: @optional(Integer).',
    ],
    [
      "a field with something that is no option at all",
      "@required(String, 5) city;",
      "@required on city: 5 is neither a type, a description nor options. Write (type, description) or (type, options).",
    ],
    [
      "a field with a class that a circular import leaves undefined",
      '@required(later, "The later one") city;',
      "@required on city: its type is undefined here, as a circular import leaves it. Write it as an arrow function: () => TheClass.",
    ],
    ["a field with two types", "@required(String, { type: Number }) city;", "@required on city: its type is written twice. Keep one."],
    [
      "a field with too much",
      '@required(String, "The city", { minLength: 1 }) city;',
      "@required on city: it takes a type, and a description or options. Write the description into the options.",
    ],
    [
      "a static field, by @input",
      "@input(Date) static when;",
      "@input on static when: it is for a public instance field. Move the decorator to one.",
    ],
    ["a field, by a class decorator", "@timeout(5) city;", `@timeout on city: ${moveToClass}`],
    ["a method, by a class decorator", '@description("Runs.") run() {}', `@description on method run: ${moveToClass}`],
  ])("decorating %s", (_, member, mistake) => {
    const { Example } = run(`const later = undefined; export class Example { ${member} }`);
    expect(mistakesOf(Example)).toEqual([mistake]);
  });

  it("decorating the class as if it were a parameter", () => {
    // The legacy dialect would take what the decorator returns for the class: it returns nothing.
    const { Example } = run("@required(String) export class Example {}");
    expect(mistakesOf(Example)).toEqual([`@required on the class: ${moveToField}`]);
  });

  it("decorating an accessor", () => {
    const { Getter, Auto } = run(
      "export class Getter { @required(String) get city() { return 1; } } export class Auto { @required(String) accessor city; }",
    );
    expect(mistakesOf(Getter)).toEqual([expect.stringMatching(/^@required on (accessor|getter) city: /)]);
    expect(mistakesOf(Auto)).toEqual([`@required on accessor city: ${moveToField}`]);
  });

  it("all mistakes of a class are kept, and its right fields too", () => {
    const { Example } = run("export class Example { @required(String) static a; @required(String) b; @required(String) search() {} }");
    expect(mistakesOf(Example)).toHaveLength(2);
    expect(Object.keys(fieldsOf(Example))).toEqual(["b"]);
  });

  it("a mistake of a subclass is not the base's", () => {
    const { Base } = run("export class Base { @required(String) a; } class Derived extends Base { @required(String) static b; }");
    expect(mistakesOf(Base)).toEqual([]);
  });

  it("a member decorator without parentheses is refused at once, for it would be lost", () => {
    expect(() => run("class Example { @required city; }")).toThrow(
      new RegExp(
        `${dialect === "legacy" ? "^Example: " : "^"}@required on city: write parentheses behind it: @required\\(String\\) city\\.$`,
      ),
    );
  });

  it.each(["requiresConfirmation", "exclusive", "concurrency", "rateLimit", "tool", "tags"])(
    "a class decorator without parentheses is refused at once: @%s",
    (name) => {
      expect(() => run(`@${name} class Example extends Tool { call() {} }`)).toThrow(
        `@${name} got the class itself: write parentheses behind it, @${name}(...).`,
      );
    },
  );

  it("a misspelt setting of @tool is refused at once, and the right ones named", () => {
    expect(() => run("@tool({ timeot: 5 }) class Example extends Tool { call() {} }")).toThrow(
      '@tool has no setting "timeot". Did you mean "timeout"?',
    );
  });
});

describe("what an author gets wrong in the standard dialect alone", () => {
  it("decorating a #private field", () => {
    const { Example } = evaluate("standard", "export class Example { @required(String) #city; @input(Date) static #when; }");
    expect(mistakesOf(Example).sort()).toEqual([
      "@input on static #when: it is for a public instance field. Move the decorator to one.",
      `@required on #city: ${moveToField}`,
    ]);
  });

  it("a class that was compiled before Symbol.metadata was there", () => {
    const context = { kind: "field", name: "city", static: false, private: false, metadata: undefined };
    // Called as such a compiler's output calls it: the types know no context without metadata.
    const apply = required(String) as (target: unknown, context: unknown) => void;
    expect(() => apply(undefined, context)).toThrow(
      'field city: the compiler gave no context.metadata to its decorators. Import "toolwright" before the module that defines this class.',
    );
    const applyToClass = timeout(5) as (target: unknown, context: unknown) => void;
    expect(() => applyToClass(class Example {}, { kind: "class", name: "Example", metadata: undefined })).toThrow(
      "class Example: the compiler gave no",
    );
  });
});
