import { Integer } from "../../src/schema/index.js";
import { settingOf } from "../../src/tool/internal.js";
import { metadataChain } from "../../src/tool/metadata.js";
import { dialects, evaluate } from "./in-dialect.js";
import { fieldsOf, mistakesOf } from "./metadata-of.js";

describe.each(dialects)("in the %s dialect", (dialect) => {
  const run = (source: string) => evaluate(dialect, source);

  describe("@required and @optional on a field", () => {
    it.each([
      ["a type", "String", String, {}],
      ["a type and a description", 'String, "The city"', String, { description: "The city" }],
      ["a type and options", 'String, { description: "The city", minLength: 1 }', String, { description: "The city", minLength: 1 }],
      ["options with the type among them", "{ type: Integer, minimum: 10 }", Integer, { minimum: 10 }],
      ["options alone", '{ enum: ["a", "b"] }', undefined, { enum: ["a", "b"] }],
      ["a description alone", '"The city"', undefined, { description: "The city" }],
      ["nothing", "", undefined, {}],
    ])("take %s", (_, written, type, options) => {
      const { Example } = run(`export class Example { @required(${written}) needed; @optional(${written}) free; }`);
      expect(fieldsOf(Example)).toEqual({ needed: { required: true, type, options }, free: { required: false, type, options } });
    });

    it("take every kind of type token as it is", () => {
      const { Example, tokens } = run(`
        class Node { @optional(() => [Node]) children; }
        export const tokens = [Date, [String], Node, () => [Node], mapOf(Number), anyOf(String, Integer)];
        export class Example {
          @required(tokens[0]) a; @required(tokens[1]) b; @required(tokens[2]) c;
          @required(tokens[3]) d; @required(tokens[4]) e; @required(tokens[5]) f;
        }`);
      expect(Object.values(fieldsOf(Example)).map(({ type }) => type)).toEqual(tokens);
    });

    it("take a TypeScript enum as the list of allowed values", () => {
      const { Paint } = run(`
        enum Color { Red = "red", Blue = "blue" }
        enum Level { Low, High }
        @description("Paints a wall. Use when asked to.")
        export class Paint extends Tool {
          @required({ enum: Color }) color;
          @required({ enum: Level }) level;
          call() {}
        }`);
      expect(Paint.parametersSchema.properties).toMatchObject({ color: { enum: ["red", "blue"] }, level: { enum: [0, 1] } });
    });

    it("keep the order in which the fields are written", () => {
      const { Example } = run("export class Example { @required(String) zebra; @optional(String) apple; @required(String) mango; }");
      expect(Object.keys(fieldsOf(Example))).toEqual(["zebra", "apple", "mango"]);
    });
  });

  it("@input makes the fields of a class the tool's parameters", () => {
    const { Order, CreateOrder } = run(`
      export class Order { @required(Integer) id; }
      @description("Creates an order. Use when asked to.")
      export class CreateOrder extends Tool { @input(Order) order; call() {} }`);
    expect(metadataChain(CreateOrder)[0]!.inputs).toEqual([{ property: "order", type: Order }]);
    expect(CreateOrder.parametersSchema).toMatchObject({ properties: { id: { type: "integer" } }, required: ["id"] });
  });

  describe("a class decorator writes the setting of its name", () => {
    it.each([
      ["description", '"Finds rooms."', "Finds rooms."],
      ["identifier", '"find_rooms"', "find_rooms"],
      ["timeout", "5_000", 5_000],
      ["returns", "String", String],
      ["category", '"read"', "read"],
      ["consequenceLevel", '"low"', "low"],
      ["requiresConfirmation", "", true],
      ["requiresConfirmation", "false", false],
      ["effect", '"idempotent"', "idempotent"],
      ["retryable", "false", false],
      ["exclusive", "", true],
      ["exclusive", '"printer"', "printer"],
      ["concurrency", "3", { calls: 3 }],
      ["concurrency", '3, { whenExceeded: "reject" }', { calls: 3, whenExceeded: "reject" }],
      ["rateLimit", "100, 60_000", { calls: 100, period: 60_000 }],
      ["tags", '"portfolio", "risk"', ["portfolio", "risk"]],
      ["version", '"1.2.0"', "1.2.0"],
      ["dependsOn", '"get_prices"', ["get_prices"]],
      ["access", '{ scopes: ["read"] }', { scopes: ["read"] }],
    ])("@%s(%s)", (name, written, value) => {
      const { Example } = run(`@${name}(${written}) export class Example extends Tool { call() {} }`);
      expect(settingOf(Example, name)).toEqual(value);
    });

    it.each(['@dependsOn(Price, "get_stock")', '@tool({ dependsOn: [Price, "get_stock"] })'])("%s takes classes and names", (decorator) => {
      const { Example, Price } = run(
        `export class Price extends Tool { call() {} } ${decorator} export class Example extends Tool { call() {} }`,
      );
      expect(settingOf(Example, "dependsOn")).toEqual([Price, "get_stock"]);
    });

    it("@tool writes all that it is given", () => {
      const { Example } = run(
        '@tool({ description: "Deletes.", category: "delete", timeout: 50 }) export class Example extends Tool { call() {} }',
      );
      expect(metadataChain(Example)[0]!.settings).toEqual({ description: "Deletes.", category: "delete", timeout: 50 });
    });

    it("the upper one of two decorators wins", () => {
      const { Example } = run("@timeout(1) @tool({ timeout: 2 }) export class Example extends Tool { call() {} }");
      expect(settingOf(Example, "timeout")).toBe(1);
    });
  });

  describe("a subclass", () => {
    const { Base, Left, Right, Below } = run(`
      @timeout(1) @category("read")
      export class Base extends Tool { @required(String, "of Base") city; call() {} }
      @timeout(2)
      export class Left extends Base { @optional(Integer) city; @required(Boolean) own; }
      export class Right extends Base {}
      export class Below extends Left {}`);

    it("inherits settings and fields", () => {
      expect(settingOf(Right, "timeout")).toBe(1);
      expect(fieldsOf(Right)).toEqual(fieldsOf(Base));
    });

    it("overrides them for itself and its own subclasses", () => {
      expect([settingOf(Left, "timeout"), settingOf(Left, "category"), settingOf(Below, "timeout")]).toEqual([2, "read", 2]);
    });

    it("replaces a redeclared field wholly: case 16, the base stays as it was", () => {
      expect(fieldsOf(Left).city).toEqual({ required: false, type: Integer, options: {} });
      expect(fieldsOf(Base).city).toEqual({ required: true, type: String, options: { description: "of Base" } });
    });

    it("without decorators of its own keeps all that it inherits (case 14)", () => {
      expect(Object.keys(fieldsOf(Below))).toEqual(["city", "own"]);
    });

    it("leaks nothing to its base and siblings", () => {
      expect(Object.keys(fieldsOf(Base))).toEqual(["city"]);
      expect(Object.keys(fieldsOf(Right))).toEqual(["city"]);
      expect(settingOf(Base, "timeout")).toBe(1);
    });
  });

  it("everything is written on the class, under Symbol.metadata, with the base's as prototype", () => {
    const { Base, Derived } = run("export class Base { @required(String) a; } export class Derived extends Base { @required(String) b; }");
    const metadata = (Symbol as { metadata?: symbol }).metadata!;
    expect(metadata).toBe(Symbol.for("Symbol.metadata"));
    expect(Object.getPrototypeOf(Derived[metadata])).toBe(Base[metadata]);
  });

  it("a right class has no mistakes", () => {
    const { Example } = run(
      '@timeout(1) export class Example extends Tool { @required(String, "The city") city; @input(Date) when; call() {} }',
    );
    expect(mistakesOf(Example)).toEqual([]);
  });
});
