// Each line below a marker is refused with one error that has the marker's words; no other line errs.
import { z } from "zod";
import { Agent, usesTools } from "../../../src/agent/index.js";
import { type ExecutionProfile, ToolExecutor } from "../../../src/execution/index.js";
import { createHttpTool, HttpTool, http } from "../../../src/http/index.js";
import type { RegistryExecutor } from "../../../src/registry/index.js";
import { anyOf, Integer, mapOf } from "../../../src/schema/index.js";
import { invokeTool } from "../../../src/testing/index.js";
import {
  category,
  createTool,
  createToolDefinition,
  description,
  example,
  concurrency,
  exclusive,
  rateLimit,
  failure,
  input,
  optional,
  required,
  requiresConfirmation,
  returns,
  Tool,
  type ToolContext,
  timeout,
  tool,
} from "../../../src/tool/index.js";

const units: string[] = ["celsius", "fahrenheit"];

enum Role {
  Admin = "admin",
  User = "user",
}

enum Level {
  Low,
  High,
}

class Address {
  @required(String) street!: string;
}

class Order {
  @required(Integer) id!: number;
}

interface Filter {
  readonly floor: number;
}

export class Enums {
  // error: "tooWide: its declared type does not accept the enum value \"z\""
  @required({ enum: ["a", "z"] }) tooWide!: "a" | "b";
  // error: "notNull: its declared type does not accept the enum value null"
  @required({ enum: ["a", null] }) notNull!: "a";
  // error: "names: its declared type does not accept the enum value \"admin\""
  @required({ enum: ["admin"] }) names!: Role;
  // error: "mutable: write \"as const\" behind the values of enum, whose type is a string"
  @required({ enum: units }) mutable!: "celsius" | "fahrenheit";
  // error: "otherType: its type does not have the enum value \"a\""
  @required(Number, { enum: ["a"] }) otherType!: "a";
  // error: "listed: its declared type does not accept the enum value \"z\""
  @required([String], { enum: ["a", "z"] }) listed!: ("a" | "b")[];
  // error: "notListed: its declared type does not accept the enum value \"a\""
  @required([String], { enum: ["a"] }) notListed!: "a";
  // error: "defaulted: list the allowed values with enum"
  @optional({ default: "a" }) defaulted!: "a" | "b";
  // error: "literal: list the allowed values with enum"
  @required(String) literal!: "a" | "b";
  // error: "role: list the allowed values with enum"
  @required(String) role!: Role;
  // error: "pattern: its declared type does not accept a string"
  @required(String) pattern!: `user-${string}`;
  // error: "branded: its declared type does not accept a string"
  @required(String) branded!: string & { readonly brand: "UserId" };
}

export class Types {
  // error: "notText: its declared type does not accept a string"
  @required(String) notText!: number;
  // error: "notNumber: its declared type does not accept a number"
  @required(Integer) notNumber!: string;
  // error: "inOptions: its declared type does not accept a number"
  @required({ type: Number }) inOptions!: string;
  // error: "date: its declared type does not accept a Date"
  @required(Date) date!: string;
  // error: "items: its declared type does not accept an array of that type"
  @required([String]) items!: number[];
  // error: "bareArray: give the item type, e.g. @required([String])"
  @required(Array) bareArray!: string[];
  // error: "notArray: its declared type does not accept an array of that type"
  @required(Array) notArray!: string;
  // error: "notObject: its declared type does not accept an object of that type"
  @required(Object) notObject!: string;
  // error: "bareObject: Object says nothing of its members, give a class with decorated fields, or mapOf(...)"
  @required(Object) bareObject!: Filter;
  // error: "address: its declared type does not accept an object of that type"
  @required(Order) address!: Address;
  // error: "map: its declared type does not accept an object of that type"
  @required(mapOf(String)) map!: Record<string, number>;
  // error: "union: its declared type does not accept a number"
  @required(anyOf(String, Number)) union!: string;
  // error: "thunk: its declared type does not accept an object of that type"
  @required(() => Order) thunk!: Address;
}

export class Defaults {
  // error: "text: its type does not accept the default 5"
  @optional(String, { default: 5 }) text!: string;
  // error: "notNull: its type does not accept the default null"
  @optional(String, { default: null }) notNull!: string;
  // error: "nullable: its type does not accept the default null"
  @optional(String, { default: null }) nullable!: string | null;
  // error: "listed: its default array is not one of its enum values"
  @optional([String], { enum: ["a", "b"], default: ["z"] }) listed!: ("a" | "b" | "z")[];
  // error: "list: its type does not accept the default array"
  @optional([String], { default: [1] }) list!: string[];
  // error: "member: its type does not accept the default object"
  @optional(Address, { default: { street: 1 } }) member!: Address;
  // error: "letters: its default \"z\" is not one of its enum values"
  @optional({ enum: ["a", "b"], default: "z" }) letters!: "a" | "b";
  // error: "example: its type does not accept the example 7"
  @required(String, { examples: ["Paris", 7] }) example!: string;
}

export class Optionals {
  // error: "bang is optional without default: declare it with '?', or write { default: ... }, which an initializer is not"
  @optional(String) bang!: string;
  // error: "initialised is optional without default: declare it with '?', or write { default: ... }, which an initializer is not"
  @optional(String) initialised = "Paris";
  // error: "nullable is optional without default: declare it with '?', or write { default: ... }, which an initializer is not"
  @optional(String) nullable!: string | null;
}

export class Options {
  // error: "misspelt: unknown option \"descripton\", did you mean description?"
  @required(String, { descripton: "The city" }) misspelt!: string;
  // error: "beside: unknown option \"minLenght\", did you mean minLength?"
  @required(String, { description: "The city", minLenght: 1 }) beside!: string;
  // error: "alone: unknown option \"enums\", did you mean enum?"
  @required({ enums: ["a"] }) alone!: string;
  // error: "least: unknown option \"min\", did you mean minimum?"
  @required(Integer, { min: 1 }) least!: number;
  // error: "title: unknown option \"title\""
  @required(String, { title: "City" }) title!: string;
  // error: "role: an enum is an option: { enum: ... }"
  @required(Role) role!: Role;
  // error: "level: an enum is an option: { enum: ... }"
  @required(Level) level!: Level;
  // error: "write the description into the options: @required(String, { description: ... })"
  @required(String, "The city", { minLength: 3 }) surplus!: string;
  // error: "write the type first, or the options alone: @required({ description: ... })"
  @required({ type: String }, "The city") behind!: string;
  // error: 'Mistake<"write parentheses behind it: @required(String)">'
  @required bare!: string;
  // error: 'Mistake<"write parentheses behind it: @optional(String)">'
  @optional bareToo?: string;
  // error: "value: the option minLength does not take \"1\""
  @required(String, { minLength: "1" }) value!: string;
  // error: "typeName: the option type does not take \"string\""
  @required({ type: "string" }) typeName!: string;
  // error: "number: minLength is for strings"
  @required(Number, { minLength: 1 }) number!: number;
  // error: "text: minimum is for numbers"
  @required(String, { minimum: 1 }) text!: string;
  // error: "list: pattern is for strings"
  @required([String], { pattern: "a" }) list!: string[];
  // error: "one: minItems is for arrays"
  @required(String, { minItems: 1 }) one!: string;
}

export class Places {
  // error: "shared is static: decorate a public instance field"
  @required(String) static shared: string;
  // error: "secret is private or protected: decorate a public instance field"
  @required(String) private secret!: string;
  // error: "inner is private or protected: decorate a public instance field"
  @required(String) protected inner!: string;
  // error: decorate a public instance field
  @required(String) method(): string {
    return this.secret + this.inner;
  }
  // error: decorate a public instance field
  @required(String) get getter(): string {
    return "";
  }
  // error: decorate a public instance field
  @required(String) accessor auto = "";
  // error: "called is a method: decorate a public instance field"
  @required(String) called!: () => string;
  // error: "call is the method that runs the tool: give the parameter another name"
  @required(String) call!: string;
  // error: "named is a field, which takes no name: @required(String), @required(String, { description: ... })"
  @required("city", String) named!: string;
}

export class Inputs {
  // error: "order: its declared type does not accept an instance of that class"
  @input(Order) order!: Address;
  // error: "shared is static: decorate a public instance field"
  @input(Order) static shared: Order;
}

// error: "@http is for a class that extends HttpTool"
@http({ method: "GET", url: "https://api.example.com/" })
export class NotAnHttpTool extends Tool {
  call(): void {}
}

// error: 'querry' does not exist in type 'HttpOptions'
@http({ method: "GET", url: "https://api.example.com/", querry: ["page"] })
export class MisspeltHttpTool extends HttpTool {
  // error: "@http is for a class that extends HttpTool"
  @http({ method: "GET" }) page!: string;
}

// error: "@timeout is for a class that extends Tool"
@timeout(5_000)
export class NotATool {}

// error: "@category is for a class that extends Tool"
@category("read")
export class NotAToolButAnAgent extends Agent {}

// error: "@tool is for a class that extends Tool"
@tool({ description: "Nothing." })
export class Plain {}

// error: "@description is for a class that extends Tool or Agent"
@description("Nothing.")
export class NotDescribable {}

// error: is not assignable to parameter of type 'ConfirmationRule
@requiresConfirmation
export class Bare extends Tool {
  call(): void {}
}

// error: 'timeot' does not exist in type 'ToolOptions
@tool({ description: "Nothing.", timeot: 5 })
export class Misspelt extends Tool {
  // error: "@description is for a class that extends Tool or Agent"
  @description("Not a member's") city!: string;
  // error: "@timeout is for a class that extends Tool"
  @timeout(5_000)
  call(): void {}
}

class Payment extends Tool {
  @required(Number) euros!: number;
  @optional(String) note?: string;

  call(): void {}
}

// error: "@requiresConfirmation: the tool has no parameter \"euro\""
@requiresConfirmation(({ euro }: { euro: number }) => euro > 100)
export class Unknown extends Payment {}

// error: Property 'euro' does not exist on type 'OfItself'
@requiresConfirmation(({ euro }: OfItself) => Number(euro) > 100)
export class OfItself extends Payment {}

// error: "@requiresConfirmation: euros arrives as a number"
@requiresConfirmation(({ euros }: { euros: string }) => euros > "100")
export class OtherType extends Payment {}

// error: "@requiresConfirmation: note arrives as undefined"
@requiresConfirmation(({ note }: { note: string }) => note !== "")
export class Absent extends Payment {}

// error: "@requiresConfirmation: day arrives as a string: write ArgumentsOf<...> around the class"
@requiresConfirmation(({ day }: Dated) => day > new Date())
export class Dated extends Payment {
  @required(Date) day!: Date;
}

// error: "@exclusive: the tool has no parameter \"acount\""
@exclusive(({ acount }: { acount: string }) => acount)
export class Keyed extends Payment {}

// error: "requiresConfirmation: the tool has no parameter \"euro\""
@tool({ requiresConfirmation: ({ euro }: { euro: number }) => euro > 100 })
export class RuleInTool extends Payment {}

// error: "@concurrency: the tool has no parameter \"acount\""
@concurrency(3, { key: ({ acount }: { acount: string }) => acount })
export class Counted extends Payment {}

// error: "@rateLimit: the tool has no parameter \"acount\""
@rateLimit(3, 1_000, { key: ({ acount }: { acount: string }) => acount })
export class Rated extends Payment {}

// error: "concurrency: the tool has no parameter \"acount\""
@tool({ concurrency: { calls: 3, key: ({ acount }: { acount: string }) => acount } })
export class CountedInTool extends Payment {}

// error: "exclusive: the tool has no parameter \"acount\""
@tool({ exclusive: ({ acount }: { acount: string }) => acount })
export class KeyInTool extends Payment {}

class PriceTool extends Tool {
  @required(String) product!: string;
  @optional({ enum: ["EUR", "USD"], default: "EUR" }) currency!: "EUR" | "USD";
  @required(Address) to!: Address;

  async call() {
    return this.product === "" ? failure("Name a product.") : { price: 12, since: new Date(0) };
  }
}

export class Calls extends Tool {
  async call(context: ToolContext) {
    const executor = new ToolExecutor({ tools: [PriceTool] });
    // error: 'prduct' does not exist in type
    await invokeTool(PriceTool, { prduct: "lamp" });
    // error: Type 'number' is not assignable to type 'string'
    await context.call(PriceTool, { product: 3 });
    // error: Type '"CHF"' is not assignable to type '"EUR" | "USD" | undefined'
    await executor.run(PriceTool, { currency: "CHF" });
    // error: 'steet' does not exist in type '{ street?: string | undefined; }'
    await invokeTool(PriceTool, { to: { steet: "Main" } });
    const { price, since } = await context.call(PriceTool, { product: "lamp" });
    // error: Type 'number' is not assignable to type 'string'
    const text: string = price;
    // error: Type 'string' is not assignable to type 'Date'
    const day: Date = since;
    return [text, day];
  }
}

export async function callsOfRegistry(executor: RegistryExecutor) {
  // error: 'prduct' does not exist in type
  await executor.run(PriceTool, { prduct: "lamp" });
  const { price } = await executor.run(PriceTool, { product: "lamp" });
  // error: Type 'number' is not assignable to type 'string'
  const text: string = price;
  return text;
}

export async function ends(agent: Agent): Promise<unknown> {
  const response = await agent.generate("Hi");
  // error: This comparison appears to be unintentional
  if (response.reason === "sucess") return undefined;
  // error: Type 'undefined' is not assignable to type 'string | RunState'
  if (response.reason !== "awaiting_confirmation") return agent.resume(response.state);
  return response.state;
}

// error: "@usesTools takes a list: @usesTools([TheTool])"
@usesTools(PriceTool)
export class NoList extends Agent {}

// error: "@usesTools lists classes that extend Tool or Agent, and toolboxes: one of these is neither"
@usesTools([PriceTool, Address])
export class NoTool extends Agent {}

// error: "@usesTools lists classes that extend Tool or Agent, and toolboxes: one of these is neither"
@usesTools([new PriceTool()])
export class Instance extends Agent {}

// error: is not assignable to type 'ToolResolver'
@usesTools(({ userId }) => (userId === "ada" ? [Address] : []))
export class Resolved extends Agent {}

// error: "@returns has another type than what call returns"
@returns(Address)
export class OtherResult extends Tool {
  async call() {
    return { city: "Paris" };
  }
}

// error: "@returns has another type than what call returns"
@returns([Address])
export class NoListResult extends Tool {
  call() {
    return this.toString() === "" ? failure("Nothing there.") : { street: "Main" };
  }
}

// error: "@returns has another type than Agent<...>, by which response.output is typed"
@returns(Address)
export class OtherAnswer extends Agent<Order> {}

const transfer = z.object({
  euros: z.number(),
  account: z.string().default("main"),
  day: z.iso.date().transform((text) => new Date(text)),
});

createTool({
  name: "transfer",
  description: "Transfers money.",
  inputSchema: transfer,
  // error: Property 'euro' does not exist on type '{ euros: number;
  requiresConfirmation: ({ euro }) => euro > 100,
  // error: Property 'acount' does not exist on type '{ euros: number;
  exclusive: (input) => input.acount,
  execute: ({ day }) => day.getTime(),
});

createTool({
  name: "transfer",
  description: "Transfers money.",
  inputSchema: transfer,
  // error: Property 'getTime' does not exist on type 'string'.
  requiresConfirmation: ({ day }) => day.getTime() > 0,
  // error: Type 'string | undefined' is not assignable to type 'string'.
  exclusive: ({ account }) => account,
  execute: ({ account }) => account,
});

createTool({
  name: "transfer",
  description: "Transfers money.",
  inputSchema: { type: "object", properties: { euros: { type: "number" } } },
  // error: is of type 'unknown'
  requiresConfirmation: ({ euros }) => euros > 100,
  execute: ({ euros }) => euros,
});

createTool({
  name: "pay",
  description: "Pays.",
  // error: createTool has no parameters: write inputSchema
  parameters: transfer,
  execute: () => 1,
});

createTool({
  name: "pay",
  description: "Pays.",
  // error: createTool has no schema: write inputSchema
  schema: { type: "object" },
  execute: () => 1,
});

createTool({
  // error: createTool has no id: write name
  id: "pay",
  description: "Pays.",
  inputSchema: transfer,
  execute: () => 1,
});

createTool({
  name: "pay",
  description: "Pays.",
  inputSchema: transfer,
  // error: createTool has no run: write execute
  run: () => 1,
});

createTool({
  name: "pay",
  description: "Pays.",
  inputSchema: transfer,
  // error: createTool has no handler: write execute
  handler: () => 1,
});

createTool({
  name: "pay",
  description: "Pays.",
  inputSchema: transfer,
  // error: createTool has no func: write execute
  func: () => 1,
});

createToolDefinition({
  name: "pay",
  description: "Pays.",
  // error: createToolDefinition has no parameters: write schema
  parameters: { type: "object" },
  category: "write",
  consequenceLevel: "high",
  requiresConfirmation: true,
  execute: () => ({ tool: "pay", fetchedAt: "", data: 1 }),
});

// error: is missing the following properties from type 'UniversalToolDefinition<{ readonly type: "object"; }>': category, consequenceLevel, requiresConfirmation
createToolDefinition({
  name: "pay",
  description: "Pays.",
  schema: { type: "object" },
  execute: () => ({ tool: "pay", fetchedAt: "", data: 1 }),
});

createHttpTool({
  name: "post_transfer",
  description: "Posts a transfer.",
  inputSchema: transfer,
  // error: Property 'euro' does not exist on type '{ euros: number;
  requiresConfirmation: ({ euro }) => euro > 100,
  method: "POST",
  url: "https://api.example.com/transfers",
});

export class Paged {
  // error: "size has a default, which a required parameter never uses: write @optional"
  @required(Integer, { default: 20 }) size!: number;
  // error: "order has a default, which a required parameter never uses: write @optional"
  @required({ enum: ["up", "down"], default: "up" }) order!: "up" | "down";
  // error: "raw has a default, which a required parameter never uses: write @optional"
  @required({ schema: { type: "string" }, default: "a" }) raw!: string;
}

// error: Type 'typeof Paged' is not assignable to type 'string | NamedClass'
export const profileOfNoTool: ExecutionProfile = { allowedTools: [Paged] };

// error: "@example: the tool has no parameter \"town\""
@example({ town: "Paris" })
@description("Gets the weather.")
export class UnknownInExample extends Tool {
  @required(String) city!: string;
  call() {}
}

// error: "@example: city does not accept 7"
@example({ city: 7 })
@description("Gets the weather.")
export class WrongInExample extends Tool {
  @required(String) city!: string;
  call() {}
}
