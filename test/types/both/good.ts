// Everything here compiles, in both dialects and with both compilers.
import { z } from "zod";
import { Agent, usesTools } from "../../../src/agent/index.js";
import { approve } from "../../../src/confirmation/index.js";
import type { ToolExecutor } from "../../../src/execution/index.js";
import { basic, bearer, createHttpTool, HttpTool, http, secret } from "../../../src/http/index.js";
import type { Budget } from "../../../src/loop/index.js";
import { autoApprove } from "../../../src/confirmation/index.js";
import type { ExecutionProfile } from "../../../src/execution/index.js";
import type { RegistryExecutor } from "../../../src/registry/index.js";
import { anyOf, Integer, mapOf, type StandardSchema } from "../../../src/schema/index.js";
import { invokeTool, stubTool } from "../../../src/testing/index.js";
import {
  answeredBy,
  type ArgumentsOf,
  category,
  consequenceLevel,
  createTool,
  dependsOn,
  description,
  effect,
  example,
  concurrency,
  exclusive,
  rateLimit,
  failure,
  identifier,
  input,
  json,
  optional,
  type ParameterOptions,
  required,
  access,
  requiresConfirmation,
  retryable,
  returns,
  Tool,
  type ToolClass,
  type ToolConfig,
  type ToolContext,
  type ToolResponse,
  tags,
  text,
  timeout,
  tool,
  version,
} from "../../../src/tool/index.js";

const units = ["celsius", "fahrenheit"] as const;
type Units = (typeof units)[number];

enum Role {
  Admin = "admin",
  User = "user",
}

enum Level {
  Low,
  High,
}

const Color = { Red: "red", Blue: "blue" } as const;

export class Address {
  @required(String) street!: string;
  @optional({ enum: units, default: "celsius" }) units!: Units;

  get line(): string {
    return this.street;
  }

  format(): string {
    return this.line;
  }
}

export class Texts {
  @required(String) type!: string;
  @required(String, "The city") description!: string;
  @required(String, { description: "The city", minLength: 1, maxLength: 80, pattern: "^[A-Z]", examples: ["Paris"] }) options!: string;
  @required({ type: String, description: "The city" }) typeInOptions!: string;
  @required(String) readonly fixed!: string;
  @required(String) nullable!: string | null;
  @required(String) wider!: string | number;
  @required(String) unknown!: unknown;
  @required(String) any!: any;
  @optional(String) absent?: string;
  @optional(String, "The floor") absentOrUndefined: string | undefined;
  @optional(String) absentOrNull?: string | null;
  @optional(String, { default: "Paris" }) withDefault!: string;
  @optional({ default: "Paris" }) byDefault!: string;
}

export class Enums {
  @required({ enum: units }) list!: Units;
  @required({ enum: ["a", "b"] }) narrower!: "a" | "b" | "c";
  @required({ enum: ["a", "b"] }) wider!: string;
  @required(String, { enum: units }) typed!: Units;
  @required({ enum: [1, 2, 3] }) numbers!: 1 | 2 | 3;
  @required({ enum: ["auto", 1, null] }) mixed!: "auto" | 1 | null;
  @required({ enum: Role }) strings!: Role;
  @required({ enum: Level }) levels!: Level;
  @required({ enum: Color }) object!: "red" | "blue";
  @optional({ enum: units }) absent?: Units;
  @optional({ enum: units, default: "celsius" }) withDefault!: Units;
  @optional({ enum: Role, default: Role.User }) enumDefault!: Role;
  @optional({ enum: Level, default: Level.Low }) levelDefault!: Level;
}

export class EnumLists {
  @required([String], { enum: units }) list!: Units[];
  @required([String], { enum: Role }) roles!: readonly Role[];
  @optional([String], { enum: units, default: ["celsius"] }) withDefault!: Units[];
  @optional([String], { enum: units, default: [] }) empty!: Units[];
  @optional({ enum: ["auto", null], default: null }) nullByDefault!: "auto" | null;
}

// What JSON.parse and JavaScript give.
declare const tokenOfAnyType: any;

export class Types {
  @required(Number) number!: number;
  @required(Integer, { minimum: 1, maximum: 50, multipleOf: 1 }) integer!: number;
  @optional(Integer, { default: 10, exclusiveMinimum: 0, exclusiveMaximum: 100 }) limit!: number;
  @optional({ default: 10 }) untypedNumber!: number;
  @optional({ default: false }) untypedFlag!: boolean;
  @required(Boolean) flag!: boolean;
  @optional(Boolean, { default: true }) flagByDefault!: boolean;
  @required(Date) date!: Date;
  @optional(Date, { default: "2025-01-01T00:00:00Z" }) textDate!: Date;
  @optional(Date, { default: new Date(0) }) realDate!: Date;
  @required([String]) list!: string[];
  @required([String], { minItems: 1, maxItems: 9, uniqueItems: true }) readonlyList!: readonly string[];
  @required([[Number]]) matrix!: number[][];
  @optional([String], { default: [] }) emptyList!: string[];
  @optional([String], { default: ["a"] }) oneItem!: string[];
  @optional([String], { default: [] }) emptyReadonlyList!: readonly string[];
  @required(Array) anyList!: unknown[];
  @required(Object) bag!: Record<string, unknown>;
  @required(Object) object!: object;
  @optional(Object, { default: {} }) emptyBag!: Record<string, unknown>;
  @required(mapOf(Number), { minProperties: 1 }) prices!: Record<string, number>;
  @optional(mapOf(Number), { default: { apple: 1 } }) pricesByDefault!: Record<string, number>;
  @required(mapOf([String])) lists!: Record<string, string[]>;
  @required(anyOf(String, Integer), { minLength: 1, minimum: 1 }) order!: string | number;
  @required(anyOf(Address, String)) place!: Address | string;
  @required({ schema: { type: "array", items: { type: "string" } } }) raw!: string[];
  @required({ schema: JSON.parse('{ "type": "string" }') }) loaded!: string;
  @required(tokenOfAnyType) untold!: string;
  @optional({ schema: { type: "string", default: "x" } }) rawDefault!: string;
}

export class Classes {
  @required(Address) address!: Address;
  @required([Address]) list!: Address[];
  @optional(Address) absent?: Address;
  @optional(Address, { default: { street: "Main" } }) withDefault!: Address;
  @required(() => Classes) self!: Classes;
  @required(() => [Classes]) selves!: Classes[];
  @required([() => Classes]) selvesToo!: readonly Classes[];
  @input(Address) input!: Address;
}

export class StandardSchemas {
  @required(z.string().email()) email!: string;
  @required(z.object({ name: z.string(), age: z.number().optional() })) object!: { name: string; age?: number | undefined };
  @required(
    z.string().transform((text) => text.length),
    { examples: ["four"] },
  )
  length!: number;
  @required(z.enum(["a", "b"])) letters!: "a" | "b";
  @required([z.number()]) list!: number[];
  @optional(z.coerce.date(), { default: "2025-01-01" }) date!: Date;
}

// One object for several parameters: what it holds isn't known, and isn't refused.
const shared: ParameterOptions = { description: "A name", minLength: 1 };

const loose: ParameterOptions & Record<string, unknown> = { description: "A name" };

export class Shared {
  @required(String, shared) name!: string;
  @required(Integer, shared) number!: number;
  @required(String, loose) loose!: string;
  @required(String, { ...shared, pattern: "^[a-z]+$" }) spread!: string;
  @optional(Object, { default: { deep: [1, { deeper: null }] } }) bag!: Record<string, any>;
  @required({ enum: Object.values(Role) }) role!: Role;
  @required({ schema: { type: "string", pattern: "^user-" } }) pattern!: `user-${string}`;
}

type Class = abstract new (...services: any[]) => object;

export function withPaging<Base extends Class>(Base: Base) {
  abstract class Paging extends Base {
    @optional(Integer, { default: 1 }) page!: number;
  }
  return Paging;
}

export class Page<Item> {
  @required(Integer) number!: number;
  @optional(String) next?: string;
  // The compiler can't check a type that isn't there yet: a raw schema is taken on trust.
  @required({ schema: {} }) items!: Item[];
}

@description("Gets the stock.")
export class GetStock extends Tool {
  call() {
    return 1;
  }
}

export const budgetByClass: Budget = {
  callsPerTool: new Map<string | typeof GetStock, number>([
    [GetStock, 1],
    ["get_prices", 2],
  ]),
};

export const profileByClass: ExecutionProfile = { allowedTools: [GetStock, "billing/*"] };

export const approvedByClass = autoApprove({ tools: [GetStock, "get_prices"] });

@description("Finds rooms. Use when the user asks for a room.")
@identifier("find_rooms")
@timeout(5_000)
@returns([Address])
@category("read")
@consequenceLevel("low")
@requiresConfirmation()
@effect("none")
@retryable(true)
@exclusive()
@concurrency(3)
@rateLimit(100, 60_000, { whenExceeded: "reject" })
@tags("rooms", "hotel")
@version("1.0.0")
@dependsOn("get_prices", GetStock)
@access({ scopes: ["rooms:read"], roles: ["guest"] })
export class FindRooms extends Tool {
  private readonly addresses: readonly Address[];

  constructor(addresses: readonly Address[]) {
    super();
    this.addresses = addresses;
  }

  call() {
    return this.addresses;
  }
}

@tool({
  description: "Pays.",
  category: "side_effect",
  requiresConfirmation: ({ amount }) => Number(amount) > 100,
  exclusive: ({ account }) => String(account),
  concurrency: { calls: 3, key: ({ account }) => String(account) },
  rateLimit: { calls: 100, period: 60_000 },
})
export class Pay extends Tool {
  @required(Number) amount!: number;

  async call() {
    return this.amount;
  }
}

@returns({ schema: { type: "object" } })
@timeout(1_000)
export abstract class Base extends Tool {}

@requiresConfirmation((input, context) => input.amount !== 0 && context.attempt === 1)
export class Derived extends Base {
  call(): void {}
}

export class Redeclared extends Texts {
  // TypeScript wants an initializer here (or, in the legacy dialect, `declare`); the arguments come after it.
  @required(Integer) override unknown = 0;
}

@description("Books rooms.")
@identifier("rooms")
@returns(Address)
export class Rooms extends Agent<Address> {}

@http({
  baseUrl: "https://api.example.com/v1",
  headers: {
    authorization: bearer(secret("ORDERS_TOKEN")),
    "x-legacy": basic(
      "shop",
      secret(async () => "password"),
    ),
  },
})
export abstract class OrdersTool extends HttpTool {}

@description("Gets one order by its number. Use when the user names an order.")
@http({
  method: "GET",
  url: "/orders/{orderNumber}",
  query: ["expand"],
  headers: ({ userId }) => ({ "x-user": userId }),
  response: { pick: "data.items", maxBytes: 1_000, contentTypes: ["text/csv"] },
  paging: { by: "cursor", cursor: "meta.next", parameter: "after", maxPages: 5 },
})
@returns([String])
export class GetOrderTool extends OrdersTool {
  @required(String, "The order's number") orderNumber!: string;
  @optional({ enum: ["lines", "customer"] }) expand?: "lines" | "customer";

  constructor(readonly address: Address) {
    super();
  }
}

@http({ method: "GET", url: "https://api.example.com/orders", paging: { by: "link", maxItems: 50 } })
@timeout(5_000)
export class ListOrdersTool extends HttpTool {}

@requiresConfirmation(({ euros, to }: PayTool) => euros > 100 && to.street !== "")
@exclusive(({ account = "" }: { readonly account?: string }) => account)
@concurrency(3, { key: ({ account = "" }: { readonly account?: string }, { userId }) => `${account} ${userId}` })
@rateLimit(3, 1_000, { key: ({ to }: PayTool) => to.street })
export class PayTool extends Tool {
  @required(Number) euros!: number;
  @optional(String) account?: string;
  @required(Address) to!: Address;

  call() {
    return { paid: this.euros, on: new Date(0), by: ["card" as const] };
  }
}

@requiresConfirmation(async ({ day, days }: ArgumentsOf<BookTool>, { userId }) => day < "2030" && days.length > 1 && userId !== "boss")
export class BookTool extends Tool {
  @required(Date) day!: Date;
  @required([Date]) days!: Date[];

  call(): string | ToolResponse {
    return this.day > new Date() ? text("Booked.") : failure("Too late.");
  }
}

export class InviteTool extends Tool {
  @required({ enum: Role }) role!: Role;
  @required({ enum: Level }) level!: Level;
  @required([String], { enum: Role }) roles!: Role[];

  call(): void {}
}

// What the members of an input class are called is known, which of them are checked isn't.
@requiresConfirmation(({ street }: { street: string }) => street !== "")
@tool({
  exclusive: ({ street }: { street: string }) => street,
  rateLimit: { calls: 1, period: 1_000, key: ({ street }: { street: string }) => street },
})
export class MoveTool extends Tool {
  @input(Address) address!: Address;

  call({ userId }: { userId?: string }) {
    return userId === undefined ? failure("Log in.") : json({ moved: true });
  }
}

export async function calls({ call }: ToolContext, executor: ToolExecutor, anyTool: ToolClass, anything: Record<string, unknown>) {
  const paid: { paid: number; on: string; by: "card"[] } = await invokeTool(PayTool, { euros: 3, to: { street: "Main" } });
  const same: { paid: number } = await executor.run(PayTool, { euros: 3 }, { toolContext: { userId: "ada" } });
  const again: { on: string } = await call(PayTool, {});
  const moved: { moved: boolean } = await call(MoveTool, { street: "Main" });
  const booked = await invokeTool(BookTool, { day: "2030-01-01", days: [] });
  const ofAny: unknown[] = [await invokeTool(anyTool, anything), await call(anyTool, { a: 1 }), await executor.run("pay", anything)];
  const byEnum: unknown = await invokeTool(InviteTool, { role: "admin", level: 1, roles: ["user", Role.Admin] });
  const refused: unknown = await invokeTool<ToolClass>(PayTool, { euros: "three", euro: 3 });
  stubTool(PayTool, ({ euros, to, account }) => euros.toFixed() + to.format() + (account ?? ""));
  return [paid, same, again, moved, booked, ofAny, byEnum, refused];
}

export async function callsOfRegistry(executor: RegistryExecutor, anyTool: ToolClass, anything: unknown) {
  const paid: { paid: number } = await executor.run(PayTool, { euros: 3 }, { toolContext: { userId: "ada" } });
  const ofAny: unknown[] = [await executor.run("billing/pay", anything), await executor.run(anyTool, { a: 1 })];
  return [paid, ofAny];
}

export async function ends(agent: Rooms): Promise<unknown> {
  const response = await agent.generate("A room, please");
  if (response.reason === "awaiting_confirmation")
    return agent.resume(response.state, { decisions: [approve(response.confirmations[0]!)] });
  const { reason, state } = response;
  if (reason === "aborted") return agent.resume(state);
  switch (response.reason) {
    case "success":
      return response.text.length + response.output.street.length;
    case "model_error":
      return [response.error.message, response.state];
    case "budget_exhausted":
    case "max_steps":
      return [response.state.runId, response.outcome.detail];
    default:
      return response.outcome.detail;
  }
}

@usesTools([PayTool, Rooms, { name: "moves", tools: [MoveTool] }])
export class Listing extends Agent {}

@usesTools(async ({ userId }) => (userId === "ada" ? [PayTool, BookTool] : []))
export class Resolving extends Agent {}

@usesTools([])
export class Talking extends Agent {}

@returns(Address)
export class FindAddress extends Tool {
  async call() {
    return Math.random() > 0.5 ? { street: "Main", floor: 3 } : null;
  }
}

@returns([Date])
export class FindDates extends Tool {
  call() {
    return Math.random() > 0.5 ? [new Date(0), "2030-01-01"] : failure("None.");
  }
}

@returns(mapOf(Number))
export class FindPrices extends Tool {
  call() {
    return new Map([["lamp", 12]]);
  }
}

@returns(z.object({ length: z.string().transform((text) => text.length) }))
export class Measure extends Tool {
  call() {
    return { length: "four" };
  }
}

@returns(Address)
export class OfUnknown extends Tool {
  call(): { street: unknown } {
    return JSON.parse("{}");
  }
}

@returns(Address)
export class Untyped extends Agent {}

@returns([Address])
export class Listed extends Agent<readonly { street: string }[]> {}

const transfer = z.object({
  euros: z.number(),
  account: z.string().default("main"),
  day: z.iso.date().transform((text) => new Date(text)),
});

/** Rules get the arguments before the schema's transformations, `execute` gets them after. */
export const transfers: readonly ToolClass[] = [
  createTool({
    name: "transfer",
    description: "Transfers money.",
    requiresConfirmation: ({ euros, day }, { userId }) => euros > 100 && day.startsWith("2030") && userId !== "boss",
    exclusive: (input) => input.account ?? "main",
    concurrency: { calls: 2, key: ({ account = "main" }) => account },
    inputSchema: transfer,
    execute: ({ account, day }) => account.concat(day.toISOString()),
  }),
  createTool({
    name: "transfer_later",
    description: "Transfers money later.",
    inputSchema: transfer.transform(({ euros }) => [euros]),
    requiresConfirmation: async ({ euros }) => euros > 100,
    exclusive: true,
    execute: ([euros]) => euros,
  }),
  createTool({
    name: "transfer_freely",
    description: "Transfers money by a schema that is asked by its words alone.",
    inputSchema: { type: "object", properties: { euros: { type: "number" } } },
    requiresConfirmation: ({ euros }) => Number(euros) > 100,
    exclusive: (input) => String(input.account),
    execute: ({ euros }) => euros,
  }),
  createHttpTool({
    name: "post_transfer",
    description: "Posts a transfer.",
    inputSchema: transfer,
    requiresConfirmation: ({ euros }) => euros > 100,
    method: "POST",
    url: "https://api.example.com/transfers",
  }),
];

/** Rules of a schema without known types get an object all the same. */
export const untold = (schema: StandardSchema, shared: Pick<ToolConfig, "requiresConfirmation" | "exclusive">): ToolClass =>
  createTool({
    name: "untold",
    description: "Takes what its schema takes.",
    inputSchema: schema,
    ...shared,
    requiresConfirmation: ({ euros }) => Number(euros) > 100,
    execute: (input) => input,
  });

class Place {
  @required(String) street!: string;
}

@example({ title: "Lunch", day: "2030-04-02" })
@example({ title: "Review", day: new Date(), place: { street: "Main" }, guests: ["ada"], kind: "online" })
@description("Schedules a meeting.")
export class ExampleTool extends Tool {
  @required(String) title!: string;
  @required(Date) day!: Date;
  @optional(Place) place?: Place;
  @optional([String], { default: [] }) guests!: string[];
  @optional({ enum: ["online", "office"], default: "online" }) kind!: "online" | "office";
  call() {}
}

createTool({
  name: "book",
  description: "Books.",
  inputSchema: z.object({ nights: z.int().default(1) }),
  examples: [{ nights: 2 }, {}],
  execute: () => 1,
});

@description("Asks the client.")
@answeredBy("client")
@returns(String)
export class AnsweredTool extends Tool {
  @required(String) question!: string;
}

const askedArguments: ArgumentsOf<AnsweredTool> = { question: "Which?" };
invokeTool(AnsweredTool, askedArguments, { answer: "Blue" }).then((value: unknown) => value);

export class OverridingTool extends Tool {
  override call() {
    return 1;
  }
}
