// Each line below a marker is refused with one error that has the marker's words; no other line errs.
import { Integer } from "../../../src/schema/index.js";
import { input, optional, required, Tool, type ToolContext } from "../../../src/tool/index.js";

class Order {
  @required(Integer) id!: number;
}

export class Inferred {
  // error: "literal: list the allowed values with enum"
  @required() literal!: "a" | "b";
  // error: "described: list the allowed values with enum"
  @required("One of two") described!: "a" | "b";
  // error: "list: give the item type, e.g. @required([String])"
  @required() list!: string[];
  // error: "absentList: give the item type, e.g. @optional([String])"
  @optional() absentList?: string[];
  // error: "nullable: give its type, e.g. @required(String) (a union with null shows none at run time)"
  @required() nullable!: string | null;
  // error: "union: give its type, e.g. @required(anyOf(String, Number)) (a union shows none at run time)"
  @required() union!: string | number;
  // error: "bang is optional without default: declare it with '?', or write { default: ... }, which an initializer is not"
  @optional("The floor") bang!: string;
}

export class ParametersOfCall extends Tool {
  call(
    // error: "city: its declared type does not accept a string"
    @required("city", String) _city: number,
    // error: "units: its declared type does not accept the enum value \"z\""
    @required("units", { enum: ["a", "z"] }) _units: "a" | "b",
    // error: "letters: list the allowed values with enum"
    @required("letters") _letters: "a" | "b",
    // error: "floor is optional without default: declare it with '?', or write { default: ... }, which an initializer is not"
    @optional("floor", String) _floor: string,
    // error: "limit: its type does not accept the default \"x\""
    @optional("limit", Integer, { default: "x" }) _limit: number,
    // error: "street: unknown option \"descripton\", did you mean description?"
    @required("street", String, { descripton: "Where to" }) _street: string,
    // error: write the parameter's name first: @required(\"name\", String)
    @required(String) _nameless: string,
    // error: @input is for a field: decorate a public instance field
    @input(Order) _order: Order,
    _context: ToolContext,
  ): void {}

  // error: "other is not call: decorate parameters of call only"
  other(@required("city", String) _city: string): void {}

  // error: "build is static: decorate a public instance field"
  static build(@required("city", String) _city: string): void {}
}

export class Constructed {
  // error: "decorate a public instance field, or a parameter of call"
  constructor(@required("city", String) _city: string) {}
}
