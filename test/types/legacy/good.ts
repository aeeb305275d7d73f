// What only the legacy dialect has: types that the compiler emits, and parameters of `call`.
import { Integer } from "../../../src/schema/index.js";
import { optional, required, Tool, type ToolContext } from "../../../src/tool/index.js";

const units = ["celsius", "fahrenheit"] as const;

export class Address {
  @required(String) street!: string;
}

export class Inferred {
  @required() text!: string;
  @required("The city") described!: string;
  @required({ description: "The city", minLength: 1 }) options!: string;
  @required() flag!: boolean;
  @required() date!: Date;
  @required() address!: Address;
  @optional() absent?: string;
  @optional("The floor") absentToo?: number;
}

export class Redeclared extends Inferred {
  @required(String) declare absent: string;
}

export class ParametersOfCall extends Tool {
  call(
    @required("city", String) _city: string,
    @required("street") _street: string,
    @required("units", { enum: units }) _units: (typeof units)[number],
    _context: ToolContext,
    @required("address", Address, "Where to") _address: Address,
    @required("limit", Integer, { minimum: 1 }) _limit: number,
    @optional("count", Integer, { default: 1 }) _count: number,
    @optional("floor", "Only rooms on this floor") _floor?: string,
    @optional("page", Integer) _page = 3,
  ): void {}
}
