import { optional, required } from "../../src/tool/index.js";
import { metadataChain } from "../../src/tool/metadata.js";
import { evaluate } from "./in-dialect.js";

const designTypeOf = (constructor: object, field: string) =>
  metadataChain(constructor)
    .at(-1)!
    .fields.find(({ name }) => name === field)!
    .designType();

describe("the type that a compiler emits for a field", () => {
  class Address {}

  class Example {
    @required() text!: string;
    @required("The number") described!: number;
    @required({ minLength: 1 }) options!: string;
    @optional() absent?: boolean;
    @required() date!: Date;
    @required() address!: Address;
    // @ts-expect-error the compiler emits too little of it
    @required() list!: readonly string[];
    // @ts-expect-error the compiler emits too little of it
    @required() union!: string | number;
  }

  it.each([
    ["text", String],
    ["described", Number],
    ["options", String],
    ["absent", Boolean],
    ["date", Date],
    ["address", Address],
    ["list", Array],
    ["union", Object],
  ])("is kept for %s", (field, type) => {
    expect(designTypeOf(Example, field)).toEqual({ known: true, type });
  });

  it("is not asked for if the type is written", () => {
    class Written {
      @required(String) text!: string | null;
    }
    expect(designTypeOf(Written, "text")).toMatchObject({ known: false });
  });

  it("is kept for a class that a circular import leaves undefined", () => {
    const { Example } = evaluate("legacy", "let Later; export class Example { @required() later: Later; }");
    expect(designTypeOf(Example, "later")).toMatchObject({ known: true });
  });

  it("is the subclass's own, not the base's", () => {
    const { Derived } = evaluate(
      "legacy",
      "class Base { @required() a: string; } export class Derived extends Base { @required() a: number; }",
    );
    expect(designTypeOf(Derived, "a")).toEqual({ known: true, type: Number });
  });

  it("is missing if the compiler emits none, as esbuild and tsx do", () => {
    const { Example } = evaluate("legacy", "export class Example { @required() city: string; }", { emitDecoratorMetadata: false });
    expect(designTypeOf(Example, "city")).toEqual({ known: false, reason: "not_emitted" });
  });

  it("is missing in the standard dialect, which has no such thing", () => {
    const { Example } = evaluate("standard", "export class Example { @required() city: string; }");
    expect(designTypeOf(Example, "city")).toEqual({ known: false, reason: "standard_decorators" });
  });

  it("is missing if reflect-metadata was not there when the class was defined, though it came later", () => {
    const { metadata, decorate } = Reflect;
    Object.assign(Reflect, { metadata: undefined, decorate: undefined });
    const { Example } = evaluate("legacy", "export class Example { @required() city: string; }");
    Object.assign(Reflect, { metadata, decorate });
    expect(designTypeOf(Example, "city")).toEqual({ known: false, reason: "reflect_metadata_missing" });
  });

  it("is read for a plain field that Babel hands over with a descriptor", () => {
    class ByHand {}
    const apply = required(String) as (target: object, key: string, descriptor: object) => void;
    apply(ByHand.prototype, "city", { configurable: true, enumerable: true, writable: true, initializer: null });
    expect(metadataChain(ByHand)[0]!.fields[0]).toMatchObject({ name: "city", type: String });
  });
});
