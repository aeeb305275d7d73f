import "reflect-metadata";
import { Transform, Type } from "class-transformer";
import {
  ArrayMinSize,
  IsEmail,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  MinLength,
  registerDecorator,
  ValidateNested,
} from "class-validator";
import { z } from "zod";
import { anyOf, Integer, mapOf } from "../../src/schema/index.js";
import { description, input, optional, required, Tool, type ToolClass, type ToolContext } from "../../src/tool/index.js";
import { planOf } from "../../src/tool/internal.js";

const context = {} as ToolContext;

/** Reads the arguments, makes an instance, runs it: what the executor does, without everything else that it does. */
async function call(toolClass: ToolClass, value: unknown): Promise<unknown> {
  const plan = planOf(toolClass);
  const reading = await plan.readInput(value, { owned: false, repair: false });
  if (!reading.ok) return reading.error.map(({ path, message }) => `${path} ${message}`);
  return plan.run(new toolClass(), reading.value, context);
}

class Address {
  @required(String) street!: string;
  @optional(Integer, { default: 1 }) floor!: number;
  label() {
    return `${this.street}/${this.floor}`;
  }
}

describe("what a tool's instance gets", () => {
  it("nested classes arrive as instances, alone, in lists, in maps and in unions, with their defaults", async () => {
    @description("d")
    class ShipTool extends Tool {
      @required(Address) home!: Address;
      @required([Address]) others!: Address[];
      @required(mapOf(Address)) named!: Record<string, Address>;
      @required(anyOf(String, Address)) either!: string | Address;
      override call() {
        return [this.home, ...this.others, ...Object.values(this.named), this.either as Address].map((address) => address.label());
      }
    }
    const address = (street: string) => ({ street });
    expect(
      await call(ShipTool, { home: address("a"), others: [address("b")], named: { x: address("c") }, either: { street: "d", floor: 2 } }),
    ).toEqual(["a/1", "b/1", "c/1", "d/2"]);
  });

  it("dates arrive as Date", async () => {
    @description("d")
    class BookTool extends Tool {
      @required(Date) when!: Date;
      @optional([Date]) others?: Date[];
      override call() {
        return [this.when.getTime(), this.others?.[0]?.getTime()];
      }
    }
    expect(await call(BookTool, { when: "1970-01-01T00:00:01Z", others: ["1970-01-01T00:00:02Z"] })).toEqual([1000, 2000]);
    expect(await call(BookTool, { when: "tomorrow" })).toEqual([expect.stringMatching(/^when must be a date/)]);
  });

  it("recursive classes arrive as instances all the way down", async () => {
    class Comment {
      @required(String) text!: string;
      @optional(() => [Comment]) replies?: Comment[];
      all(): string {
        return [this.text, ...(this.replies ?? []).map((reply) => reply.all())].join(">");
      }
    }
    @description("d")
    class PostTool extends Tool {
      @required(Comment) thread!: Comment;
      override call() {
        return this.thread.all();
      }
    }
    expect(await call(PostTool, { thread: { text: "a", replies: [{ text: "b", replies: [{ text: "c" }] }] } })).toBe("a>b>c");
  });

  it("case 10: each call gets a default of its own", async () => {
    @description("d")
    class TagTool extends Tool {
      @optional([String], { default: [] }) tags!: string[];
      override call() {
        this.tags.push("x");
        return this.tags.length;
      }
    }
    expect([await call(TagTool, {}), await call(TagTool, {})]).toEqual([1, 1]);
  });

  it("an absent optional keeps the field's own initial value", async () => {
    @description("d")
    class InitialTool extends Tool {
      @optional(String) units?: string = "celsius";
      override call() {
        return this.units;
      }
    }
    expect(await call(InitialTool, {})).toBe("celsius");
  });

  it("parameters of call come in their places, the context in the place that is left", async () => {
    @description("d")
    class AddTool extends Tool {
      @required(String) unit!: string;
      override call(@required("left", Number) left: number, given: ToolContext, @optional("right", Number, { default: 2 }) right: number) {
        return [left + right, this.unit, given === context, Object.keys(this)];
      }
    }
    expect(await call(AddTool, { left: 1, unit: "m" })).toEqual([3, "m", true, ["unit"]]);
  });

  it("a parameter may be named text, error, constructor or toString", async () => {
    @description("d")
    class OddNames extends Tool {
      @required(String) text!: string;
      @optional(String) error?: string;
      override call() {
        return [this.text, this.error, Object.hasOwn(this, "toString")];
      }
    }
    expect(await call(OddNames, { text: "t" })).toEqual(["t", undefined, false]);
  });

  it("a parameter named toString is missing if only Object.prototype has it", async () => {
    @description("d")
    class NameTool extends Tool {
      override call(@required("toString", String) text: string) {
        return text;
      }
    }
    expect(await call(NameTool, {})).toEqual(["toString is required"]);
    expect(await call(NameTool, { toString: "t" })).toBe("t");
  });

  it("the input object of the caller is never changed", async () => {
    @description("d")
    class ShipTool extends Tool {
      @required(Address) home!: Address;
      @required(Date) when!: Date;
      override call() {}
    }
    const value = { home: { street: "a" }, when: "1970-01-01T00:00:01Z" };
    await call(ShipTool, value);
    expect(value).toEqual({ home: { street: "a" }, when: "1970-01-01T00:00:01Z" });
  });
});

describe("Standard Schemas", () => {
  it("validate for themselves, and their output is assigned", async () => {
    @description("d")
    class SearchTool extends Tool {
      @required(z.string().trim().toUpperCase()) query!: string;
      @optional(z.coerce.number().default(7)) limit?: number;
      override call() {
        return [this.query, this.limit];
      }
    }
    expect(await call(SearchTool, { query: "  abc " })).toEqual(["ABC", 7]);
    expect(await call(SearchTool, { query: "a", limit: "12" })).toEqual(["A", 12]);
  });

  it("leave an absent optional absent, take a null for it where repairs are allowed, and get the field's own default", async () => {
    @description("d")
    class MeetTool extends Tool {
      @optional(z.enum(["zoom", "meet"])) via?: "zoom" | "meet";
      @optional(z.email(), { default: "a@example.com" }) guest!: string;
      override call() {
        return [this.via, this.guest];
      }
    }
    expect(await call(MeetTool, {})).toEqual([undefined, "a@example.com"]);
    expect(await call(MeetTool, { via: "zoom", guest: "b@example.com" })).toEqual(["zoom", "b@example.com"]);
    expect(await call(MeetTool, { via: null })).toEqual([expect.stringMatching(/^via /)]);
    const repaired = await planOf(MeetTool).readInput({ via: null }, { owned: false, repair: true });
    expect(repaired).toMatchObject({ ok: true, value: { values: { guest: "a@example.com" } } });
    expect(repaired.ok && "via" in repaired.value.values).toBe(false);
  });

  it("report their faults with our paths, asynchronous ones too", async () => {
    @description("d")
    class PairTool extends Tool {
      @required(z.object({ items: z.array(z.object({ price: z.number() })) })) order!: unknown;
      @required(z.string().refine(async (text) => text !== "taken", "is taken")) name!: string;
      override call() {}
    }
    const faults = (await call(PairTool, { order: { items: [{ price: "1" }] }, name: "taken" })) as string[];
    expect(faults).toEqual([expect.stringMatching(/^order\.items\[0\]\.price /), expect.stringMatching(/^name .*taken/)]);
  });
});

describe("class-validator and class-transformer", () => {
  class Line {
    @IsString() @MinLength(2) product!: string;
    @IsInt() @Min(1) quantity!: number;
  }
  class CreateOrderDto {
    @IsEmail() customer!: string;
    @ArrayMinSize(1) @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
    @IsOptional() @IsString() notes?: string;
  }

  it("@input makes a DTO's fields the parameters and hands the instance over", async () => {
    @description("Creates an order")
    class CreateOrderTool extends Tool {
      @input(CreateOrderDto) order!: CreateOrderDto;
      @optional(Boolean) express?: boolean;
      override call() {
        return [this.order instanceof CreateOrderDto, this.order.lines[0] instanceof Line, this.order.customer, this.express];
      }
    }
    expect(CreateOrderTool.parametersSchema).toMatchObject({
      properties: {
        customer: { type: "string" },
        lines: {
          type: "array",
          minItems: 1,
          items: { type: "object", properties: { product: { type: "string", minLength: 2 }, quantity: { type: "integer", minimum: 1 } } },
        },
        notes: { type: ["string", "null"] },
        express: { type: "boolean" },
      },
      required: ["customer", "lines"],
      additionalProperties: false,
    });
    const right = { customer: "a@example.com", lines: [{ product: "lamp", quantity: 1 }], express: true };
    expect(await call(CreateOrderTool, right)).toEqual([true, true, "a@example.com", true]);
    expect(await call(CreateOrderTool, { ...right, customer: "nobody" })).toEqual([
      expect.stringMatching(/^customer must be an e-mail address/),
    ]);
    expect(await call(CreateOrderTool, { customer: "a@example.com", lines: [{ product: "x", quantity: 0 }] })).toEqual([
      expect.stringMatching(/^lines\[0\]\.product /),
      expect.stringMatching(/^lines\[0\]\.quantity /),
    ]);
  });

  it("rules on the tool's own fields are in the schema and enforced", async () => {
    @description("d")
    class RateTool extends Tool {
      @required() @Min(1) @Max(5) stars!: number;
      @required(String) @IsEmail() author!: string;
      override call() {
        return this.stars;
      }
    }
    expect(RateTool.parametersSchema.properties?.stars).toEqual({ type: "number", minimum: 1, maximum: 5 });
    expect(await call(RateTool, { stars: 5, author: "a@example.com" })).toBe(5);
    expect(await call(RateTool, { stars: 6, author: "a@example.com" })).toEqual([expect.stringMatching(/^stars /)]);
  });

  it("asynchronous rules are awaited", async () => {
    const IsFree = (target: object, propertyName: string) =>
      registerDecorator({
        target: target.constructor,
        propertyName,
        name: "isFree",
        async: true,
        validator: { validate: async (value: unknown) => value !== "taken", defaultMessage: () => "$property is taken" },
      });
    @description("d")
    class NameTool extends Tool {
      @required(String) @IsFree name!: string;
      override call() {
        return this.name;
      }
    }
    expect(await call(NameTool, { name: "free" })).toBe("free");
    expect(await call(NameTool, { name: "taken" })).toEqual(["name is taken"]);
  });

  it("@Transform is honoured on a tool's field", async () => {
    @description("d")
    class TrimTool extends Tool {
      @required(String) @Transform(({ value }) => String(value).trim()) name!: string;
      override call() {
        return this.name;
      }
    }
    expect(await call(TrimTool, { name: "  Ada " })).toBe("Ada");
  });

  it('case 5: "false" never becomes true', async () => {
    class Flags {
      @required(Boolean) force!: boolean;
    }
    @description("d")
    class ForceTool extends Tool {
      @required(Flags) @Type(() => Flags) flags!: Flags;
      override call() {
        return this.flags.force;
      }
    }
    expect(await call(ForceTool, { flags: { force: "false" } })).toEqual([expect.stringMatching(/^flags\.force must be a boolean/)]);
    const repaired = await planOf(ForceTool).readInput({ flags: { force: "false" } }, { owned: false, repair: true });
    expect(repaired).toMatchObject({ ok: true, value: { input: { flags: { force: false } } } });
  });
});
