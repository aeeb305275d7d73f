import "reflect-metadata";
import { Expose, Transform, Type } from "class-transformer";
import { IsDate, IsInt, IsString, registerDecorator, ValidateNested } from "class-validator";
import { z } from "zod";
import { anyOf, Integer, mapOf, type StandardSchema } from "../../src/schema/index.js";
import { createTool, description, input, optional, required, Tool, type ToolClass, type ToolContext } from "../../src/tool/index.js";
import { validateToolInput, validateToolInputAsync, planOf } from "../../src/tool/internal.js";

const context = {} as ToolContext;
const strict = { owned: false, repair: false };
const lenient = { owned: false, repair: true };

async function call(toolClass: ToolClass, value: unknown, options = strict): Promise<unknown> {
  const plan = planOf(toolClass);
  const reading = await plan.readInput(value, options);
  if (!reading.ok) return reading.error.map(({ path, message }) => `${path} ${message}`);
  return plan.run(new toolClass(), reading.value, context);
}

const date = "2020-01-01T00:00:00Z";

describe("unions", () => {
  it("a Standard Schema that refuses the value leaves it to the next member", async () => {
    @description("d")
    class FindTool extends Tool {
      @required(anyOf(z.email(), Integer, z.literal("all"))) who!: string | number;
      override call() {
        return this.who;
      }
    }
    expect(await call(FindTool, { who: 5 })).toBe(5);
    expect(await call(FindTool, { who: "a@example.com" })).toBe("a@example.com");
    expect(await call(FindTool, { who: "all" })).toBe("all");
    expect(await call(FindTool, { who: "x" })).toEqual(["who is invalid: Invalid email address"]);
  });

  it("so does one that answers later", async () => {
    const free = z.string().refine(async (name) => name !== "root", "is taken");
    @description("d")
    class FindTool extends Tool {
      @required(anyOf(free, z.literal("root"))) who!: string;
      override call() {
        return this.who;
      }
    }
    expect(await call(FindTool, { who: "root" })).toBe("root");
  });

  it("of classes, lists, maps, dates: the member that fits decides what arrives, with its defaults", async () => {
    class Circle {
      @required({ enum: ["circle"] }) kind!: "circle";
      @required(Date) at!: Date;
    }
    class Square {
      @required({ enum: ["square"] }) kind!: "square";
      @optional(Integer, { default: 4 }) sides!: number;
    }
    @description("d")
    class DrawTool extends Tool {
      @required([anyOf(Circle, Square, [Circle], mapOf(Square), Date, Boolean)]) shapes!: unknown[];
      override call() {
        return this.shapes;
      }
    }
    const circle = { kind: "circle", at: date };
    const square = { kind: "square" };
    const [first, second, list, map, when, flag] = (await call(DrawTool, {
      shapes: [circle, square, [circle], { x: square }, date, true],
    })) as any[];
    expect([first, second, list[0], map.x].map((shape) => shape.constructor)).toEqual([Circle, Square, Circle, Square]);
    expect([first.at, second.sides, list[0].at, map.x.sides, when, flag]).toEqual([
      new Date(date),
      4,
      new Date(date),
      4,
      new Date(date),
      true,
    ]);
  });
});

describe("Standard Schemas", () => {
  it("an output of undefined is assigned too", async () => {
    @description("d")
    class DropTool extends Tool {
      @required(z.string().transform(() => undefined)) value!: undefined;
      override call() {
        return [this.value];
      }
    }
    expect(await call(DropTool, { value: "x" })).toEqual([undefined]);
  });

  it("the input of the call is JSON with the schema's defaults, what the tool gets is the schema's output", async () => {
    const tool = createTool({
      name: "book",
      description: "Books.",
      inputSchema: z.object({ seats: z.number().default(2), day: z.string().transform((text) => new Date(text)) }),
      execute: (values) => values,
    });
    expect(validateToolInput(tool, { day: date })).toEqual({ ok: true, value: { seats: 2, day: date } });
    expect(await call(tool, { day: date })).toEqual({ seats: 2, day: new Date(date) });
  });

  it("repairs are made in the input, recorded, and hold when the call is repeated", async () => {
    @description("d")
    class CountTool extends Tool {
      @required(z.object({ count: z.number().refine(async (count) => count > 3, "is too small") })) of!: { count: number };
      @optional(z.string()) note?: string;
      override call() {
        return [this.of.count, this.note];
      }
    }
    const reading = await planOf(CountTool).readInput({ of: { count: "5" }, note: null }, lenient);
    expect(reading).toMatchObject({
      ok: true,
      value: {
        input: { of: { count: 5 } },
        repairs: [
          { path: "of.count", from: "5", to: 5 },
          { path: "note", from: null },
        ],
      },
    });
    if (!reading.ok) return;
    expect(Object.keys(reading.value.input)).toEqual(["of"]);
    expect(await call(CountTool, reading.value.input)).toEqual([5, undefined]);
    expect(await call(CountTool, { of: { count: "1" } }, lenient)).toEqual([
      expect.stringMatching(/^of\.count is invalid: expected number, received string/),
    ]);
  });

  it("schemas that are functions are taken, as tokens and as the input of a tool", async () => {
    const shape = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    const schema = Object.assign((value: unknown) => value, {
      "~standard": {
        version: 1 as const,
        vendor: "arktype",
        validate: (value: unknown) =>
          typeof (value as { name?: unknown } | null)?.name === "string"
            ? { value }
            : { issues: [{ message: "name must be a string", path: ["name"] }] },
        jsonSchema: { input: () => shape, output: () => shape },
      },
    }) satisfies StandardSchema;
    const tool = createTool({ name: "greet", description: "Greets.", inputSchema: schema, execute: (values) => values });
    @description("d")
    class GreetTool extends Tool {
      @required(schema) who!: unknown;
      override call() {
        return this.who;
      }
    }
    expect(await call(tool, { name: "Ann" })).toEqual({ name: "Ann" });
    expect(await call(tool, {})).toEqual(["name is invalid: name must be a string"]);
    expect(await call(GreetTool, { who: { name: "Ann" } })).toEqual({ name: "Ann" });
    expect(await call(GreetTool, { who: 3 })).toEqual(["who.name is invalid: name must be a string"]);
  });

  it("a rule that throws at once leaves no rejection of a slower one behind", async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", listen);
    const fails = (target: object, propertyName: string, validate: () => unknown) =>
      registerDecorator({
        target: target.constructor,
        propertyName,
        name: propertyName,
        validator: { validate: validate as () => boolean },
      });
    const Slow = (target: object, name: string) => fails(target, name, () => Promise.reject(new Error("slow")));
    const Broken = (target: object, name: string) =>
      fails(target, name, () => {
        throw new Error("broken");
      });
    @description("d")
    class CheckedTool extends Tool {
      @required(String) @Slow first!: string;
      @required(String) @Broken second!: string;
      override call() {}
    }
    await expect(validateToolInputAsync(CheckedTool, { first: "a", second: "b" })).rejects.toThrow("broken");
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off("unhandledRejection", listen);
    expect(unhandled).toEqual([]);
  });
});

describe("class-transformer", () => {
  it("@Transform on a tool's field runs no constructor, and leaves services and other fields alone", async () => {
    @description("d")
    class TrimTool extends Tool {
      @required(String) @Transform(({ value }) => String(value).trim()) name!: string;
      calls = 0;
      constructor(readonly service: { readonly prefix: string }) {
        super();
        this.calls = service.prefix.length;
      }
      override call() {
        return [this.service.prefix + this.name, this.calls];
      }
    }
    const plan = planOf(TrimTool);
    const reading = await plan.readInput({ name: " Ann " }, strict);
    if (!reading.ok) throw new Error("refused");
    expect(reading.value.values).toEqual({ name: "Ann" });
    expect(plan.run(new TrimTool({ prefix: "Dr. " }), reading.value, context)).toEqual(["Dr. Ann", 4]);
  });

  it("transforms run once, in lists too, and what they made gets its dates", async () => {
    class Line {
      @required(Number) @Transform(({ value }) => value * 100) cents!: number;
      @required(Date) at!: Date;
    }
    class Order {
      @required([Line]) @Type(() => Line) lines!: Line[];
      @required(Line) @Type(() => Line) first!: Line;
      @required(String) @Transform(({ value }) => `${value}!`) note!: string;
    }
    @description("d")
    class OrderTool extends Tool {
      @required(Order) order!: Order;
      override call() {
        return [this.order.first, ...this.order.lines].map((line) => [line instanceof Line, line.cents, line.at, this.order.note]);
      }
    }
    const lines = [{ cents: 1, at: date }];
    expect(await call(OrderTool, { order: { lines, first: { cents: 2, at: date }, note: "x" } })).toEqual([
      [true, 200, new Date(date), "x!"],
      [true, 100, new Date(date), "x!"],
    ]);
  });

  it("@Expose({ name }) on a DTO: the parameter has that name, the property gets its date", async () => {
    class EventDto {
      @Expose({ name: "created_at" }) @IsDate() createdAt!: Date;
    }
    @description("d")
    class EventTool extends Tool {
      @input(EventDto) event!: EventDto;
      override call() {
        return this.event.createdAt;
      }
    }
    expect(await call(EventTool, { created_at: date })).toEqual(new Date(date));
    expect(await call(EventTool, { created_at: "soon" })).toEqual([expect.stringMatching(/^created_at must be a date/)]);
  });
});

describe("@input", () => {
  class First {
    @IsString() second!: string;
  }
  class Second {
    @IsString() first!: string;
  }

  it("two of them may have parameters with the names of each other's property", async () => {
    @description("d")
    class PairTool extends Tool {
      @input(First) first!: First;
      @input(Second) second!: Second;
      override call() {
        return [this.first, this.second];
      }
    }
    const [first, second] = (await call(PairTool, { first: "1", second: "2" })) as [First, Second];
    expect([first.second, second.first, first instanceof First, second instanceof Second]).toEqual(["2", "1", true, true]);
  });

  it("is inherited and can be replaced", async () => {
    class Longer extends First {
      @IsInt() size!: number;
    }
    @description("d")
    class BaseTool extends Tool {
      @input(First) dto!: First;
      override call() {
        return [this.dto.constructor, { ...this.dto }];
      }
    }
    class MiddleTool extends BaseTool {
      @input(Longer) declare dto: Longer;
    }
    class LastTool extends MiddleTool {
      @required(Boolean) flag!: boolean;
    }
    expect(await call(BaseTool, { second: "a" })).toEqual([First, { second: "a" }]);
    expect(await call(LastTool, { second: "a", size: 1, flag: true })).toEqual([Longer, { second: "a", size: 1 }]);
  });

  it("takes class-validator rules on its field", async () => {
    @description("d")
    class RuledTool extends Tool {
      @ValidateNested() @Type(() => First) @input(First) dto!: First;
      override call() {
        return this.dto.second;
      }
    }
    expect(await call(RuledTool, { second: "a" })).toBe("a");
  });

  it("can't share its property with a parameter", () => {
    @description("d")
    class SharedTool extends Tool {
      @required(String) @input(First) dto!: any;
      override call() {}
    }
    expect(() => SharedTool.definition).toThrow("SharedTool.dto: it is a parameter and the place of an @input class at once.");
  });

  it("the same class can be a parameter and an @input, and a tool's class one as well", async () => {
    @description("d")
    class InnerTool extends Tool {
      @required(String) a!: string;
      override call() {
        return `${this.a}!`;
      }
    }
    @description("d")
    class OuterTool extends Tool {
      @required(InnerTool) nested!: InnerTool;
      @input(InnerTool) spread!: InnerTool;
      override call() {
        return [this.nested.call(), this.spread.call()];
      }
    }
    expect(await call(OuterTool, { nested: { a: "1" }, a: "2" })).toEqual(["1!", "2!"]);
  });
});

describe("what is made of arguments", () => {
  it("a class that can't be made without arguments is named, with the reason", async () => {
    class Money {
      @required(Number) amount!: number;
      constructor(currency: { readonly code: string }) {
        void currency.code;
      }
    }
    @description("d")
    class PayTool extends Tool {
      @required(Money) price!: Money;
      override call() {}
    }
    await expect(call(PayTool, { price: { amount: 1 } })).rejects.toThrow(
      /^Money: an instance can't be made without arguments: .*code.* Let its constructor do without them\.$/,
    );
  });

  it("keys such as __proto__ and constructor never reach a prototype", async () => {
    @description("d")
    class MapTool extends Tool {
      @required(mapOf(Date)) dates!: Record<string, Date>;
      override call() {
        return [Object.getPrototypeOf(this.dates) === Object.prototype, Object.keys(this.dates)];
      }
    }
    class Box {
      @required(String) a!: string;
    }
    @description("d")
    class BoxTool extends Tool {
      @required(Box) box!: Box;
      override call() {}
    }
    const keys = `"__proto__":"${date}","constructor":"${date}"`;
    expect(await call(MapTool, JSON.parse(`{"dates":{${keys}}}`))).toEqual([true, ["__proto__", "constructor"]]);
    expect(await call(BoxTool, JSON.parse('{"box":{"a":"x","__proto__":{"b":1}}}'))).toEqual(["box.__proto__ is unknown (known: a)"]);
  });
});

describe("createTool", () => {
  it("unwraps a Result that comes from any thenable", async () => {
    // biome-ignore lint/suspicious/noThenProperty: a promise of another library
    const thenable = { then: (resolve: (value: unknown) => void) => resolve({ ok: false, error: "no" }) };
    const tool = createTool({ name: "t", description: "d", inputSchema: { type: "object" }, execute: () => thenable });
    expect(await call(tool, {})).toMatchObject({ kind: "failure", value: "no" });
  });

  it("a subclass of what it made can't have a body or parameters of its own", () => {
    const Made = createTool({ name: "made", description: "d", inputSchema: { type: "object" }, execute: () => 1 });
    class Loud extends Made {
      override call() {
        return 2;
      }
    }
    class Renamed extends Made {}
    expect(() => Loud.definition).toThrow(/^Loud: it extends a tool made by createTool, .* Extend Tool instead\.$/);
    expect(Renamed.definition.name).toBe("made");
  });
});
