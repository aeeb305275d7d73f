import "reflect-metadata";
import { Expose, Transform, Type } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsDate,
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  MinLength,
  registerDecorator,
  ValidateIf,
  ValidateNested,
} from "class-validator";
import { z } from "zod";
import { anyOf, Integer } from "../../src/schema/index.js";
import { description, input, optional, required, returns, Tool, type ToolClass, ToolDefinitionError } from "../../src/tool/index.js";
import { validateToolInput, validateToolInputAsync } from "../../src/tool/internal.js";
import { planOf } from "../../src/tool/definition/make-tool-plan.js";

/** What the tool's instance would be given. */
async function valuesOf(tool: ToolClass, given: unknown): Promise<Record<string, unknown>> {
  const reading = await planOf(tool).readInput(given, { owned: false, repair: false });
  if (!reading.ok) throw new Error(JSON.stringify(reading.error));
  return reading.value.values;
}

const errorOf = (tool: ToolClass, given: unknown): string => {
  const result = validateToolInput(tool, given);
  return result.ok ? "" : result.error;
};

enum Priority {
  Low = 1,
  High = 2,
}

class LineDto {
  @IsString() @Matches(/^[A-Z]{3}$/) sku!: string;
  @IsNumber() @Min(0) price!: number;
}

class CreateOrderDto {
  @IsString() @Length(2, 40) customer!: string;
  @ArrayNotEmpty() @ValidateNested({ each: true }) @Type(() => LineDto) lines!: LineDto[];
  @IsEnum(Priority) priority!: Priority;
  @IsOptional() @IsDate() @Type(() => Date) due?: Date;
  @IsOptional() @IsString() note?: string;
}

@description("Places an order. Use when the customer has named the products.")
class PlaceOrderTool extends Tool {
  @input(CreateOrderDto) order!: CreateOrderDto;

  call(): unknown {
    return this.order;
  }
}

const order = { customer: "Eve", lines: [{ sku: "ABC", price: 1.5 }], priority: 2 };

describe("an existing DTO as a tool's input", () => {
  it("becomes the tool's parameters", () => {
    expect(PlaceOrderTool.parametersSchema).toEqual({
      type: "object",
      properties: {
        customer: { type: "string", minLength: 2, maxLength: 40 },
        lines: {
          type: "array",
          minItems: 1,
          items: {
            type: "object",
            properties: { sku: { type: "string", pattern: "^[A-Z]{3}$" }, price: { type: "number", minimum: 0 } },
            required: ["sku", "price"],
            additionalProperties: false,
          },
        },
        priority: { type: "integer", enum: [1, 2] },
        due: { type: ["string", "null"], format: "date-time" },
        note: { type: ["string", "null"] },
      },
      required: ["customer", "lines", "priority"],
      additionalProperties: false,
    });
  });

  it("arrives as instances of its classes", async () => {
    const { order: made } = await valuesOf(PlaceOrderTool, { ...order, due: "2024-01-01T00:00:00Z" });
    expect(made).toBeInstanceOf(CreateOrderDto);
    expect((made as CreateOrderDto).lines[0]).toBeInstanceOf(LineDto);
    expect((made as CreateOrderDto).due).toEqual(new Date("2024-01-01T00:00:00Z"));
  });

  it("takes null if @IsOptional takes it", () => {
    expect(errorOf(PlaceOrderTool, { ...order, note: null, due: null })).toBe("");
  });

  it("names every fault with the path that the model wrote", () => {
    expect(errorOf(PlaceOrderTool, { ...order, customer: "E", lines: [{ sku: "abc", price: -1 }] })).toMatch(
      /customer .*lines\[0\]\.sku .*lines\[0\]\.price /,
    );
  });
});

describe("rules that JSON Schema can't express", () => {
  class SlotDto {
    @Matches(/^room/i) room!: string;
    @IsInt() hour!: number;
  }

  @description("Books a slot. Use when a room and an hour are known.")
  class BookTool extends Tool {
    @input(SlotDto) slot!: SlotDto;
    @required() @Type(() => SlotDto) alternative!: SlotDto;
    @required(String) @Matches(/^a/i) initial!: string;
    @optional(String) @ValidateIf((tool: BookTool) => tool.initial === "A") @MinLength(3) reason?: string;

    call(): void {}
  }
  const booking = { room: "ROOM 1", hour: 8, alternative: { room: "Room 2", hour: 9 }, initial: "a" };

  it("are run on the tool's own fields, on nested classes and on DTOs alike", () => {
    expect(errorOf(BookTool, booking)).toBe("");
    expect(
      errorOf(BookTool, { ...booking, room: "1", alternative: { room: "2", hour: 9 }, initial: "b" })
        .split("; ")
        .sort(),
    ).toEqual([
      "alternative.room must match /^room/i regular expression",
      "initial must match /^a/i regular expression",
      "room must match /^room/i regular expression",
    ]);
  });

  it("see the other arguments if they are conditional", () => {
    expect(errorOf(BookTool, { ...booking, reason: "x" })).toBe("");
    expect(errorOf(BookTool, { ...booking, initial: "A", reason: "x" })).toBe("reason must be longer than or equal to 3 characters");
  });
});

describe("asynchronous rules", () => {
  const free: PropertyDecorator = (target, propertyName) =>
    registerDecorator({
      name: "free",
      target: target.constructor,
      propertyName: String(propertyName),
      options: { message: "$property is taken" },
      validator: { validate: async (value) => value !== "root" },
    });

  @description("Adds a user. Use when a name was chosen.")
  class AddUserTool extends Tool {
    @required(String) @free name!: string;

    call(): void {}
  }

  it("are awaited, also when nothing declares them asynchronous", async () => {
    expect(await validateToolInputAsync(AddUserTool, { name: "root" })).toEqual({ ok: false, error: "name is taken" });
    expect(await validateToolInputAsync(AddUserTool, { name: "eve" })).toEqual({ ok: true, value: { name: "eve" } });
  });
});

describe("inherited DTOs", () => {
  class Base {
    @IsInt() id!: number;
    @IsOptional() @IsString() name?: string;
  }
  class Child extends Base {
    @IsString() declare name: string;
  }
  class Bare extends Child {}

  const toolFor = (dto: new () => object): ToolClass => {
    @description("Saves. Use when all is known.")
    class SaveTool extends Tool {
      @input(dto) data!: object;

      call(): void {}
    }
    return SaveTool;
  };

  it("case 14: a class without decorators of its own keeps its parents' fields", () => {
    expect(toolFor(Bare).parametersSchema.required).toEqual(["id", "name"]);
  });

  it("case 16: what the child requires is required, and stays optional in the base", () => {
    expect(errorOf(toolFor(Child), { id: 1 })).toBe("name is required");
    expect(errorOf(toolFor(Base), { id: 1 })).toBe("");
  });
});

describe("lists of a class", () => {
  it("case 17: without an item type are refused when the tool is defined, naming class and field", () => {
    class BasketDto {
      @ArrayNotEmpty() @ValidateNested({ each: true }) lines!: LineDto[];
    }
    @description("Counts. Use when there are lines.")
    class CountTool extends Tool {
      @input(BasketDto) basket!: BasketDto;

      call(): void {}
    }
    expect(() => CountTool.definition).toThrow(ToolDefinitionError);
    expect(() => CountTool.definition).toThrow(/BasketDto\.lines: .*@Type\(\(\) => Item\) lines/);
  });

  it("case 17: with an item type have it under items", () => {
    @description("Counts. Use when there are lines.")
    class CountTool extends Tool {
      @required([LineDto]) lines!: LineDto[];

      call(): void {}
    }
    expect(CountTool.parametersSchema.properties?.lines).toMatchObject({
      type: "array",
      items: { type: "object", required: ["sku", "price"] },
    });
  });
});

describe("class-transformer", () => {
  class FlagDto {
    @IsBoolean() @Type(() => Boolean) force!: boolean;
    @IsString() @Transform(({ value }) => String(value).trim()) name!: string;
    @Expose({ name: "user_name" }) @Matches(/^[a-z]+$/i) userName!: string;
  }

  @description("Sets a flag. Use when asked to.")
  class FlagTool extends Tool {
    @input(FlagDto) flag!: FlagDto;

    call(): void {}
  }

  it('case 5: the text "false" is a type error, or false if repairs are tried, and never true', async () => {
    const given = { force: "false", name: "a", user_name: "eve" };
    expect(errorOf(FlagTool, given)).toMatch(/^force /);
    const reading = await planOf(FlagTool).readInput(given, { owned: false, repair: true });
    expect(reading).toMatchObject({ ok: true, value: { input: { force: false }, values: { flag: { force: false } } } });
  });

  it("transforms values before they reach the tool", async () => {
    expect((await valuesOf(FlagTool, { force: true, name: " a ", user_name: "eve" })).flag).toMatchObject({
      force: true,
      name: "a",
      userName: "eve",
    });
  });

  it("names fields as they are on the wire, in the schema and in faults", () => {
    expect(FlagTool.parametersSchema.required).toEqual(["force", "name", "user_name"]);
    expect(errorOf(FlagTool, { force: true, name: "a", user_name: "1" })).toBe("user_name must match /^[a-z]+$/i regular expression");
  });
});

describe("@Transform beside rules, as ValidationPipe takes it: transform, then rules", () => {
  class SaleDto {
    @Transform(({ value }) => value.trim().toUpperCase()) @IsIn(["WEB", "PHONE"]) channel!: string;
    @Transform(({ value }) => value.split(",")) @IsArray() @IsString({ each: true }) @MinLength(2, { each: true }) tags!: string[];
    @Transform(({ value }) => value / 100) @IsNumber() @Max(50) euros!: number;
    @IsOptional() @Transform(({ value }) => value === "true") @IsBoolean() gift?: boolean;
  }

  @description("Sells. Use when the user buys.")
  class SellTool extends Tool {
    @input(SaleDto) sale!: SaleDto;

    call(): void {}
  }

  const sale = { channel: " web ", tags: "aa,bb", euros: 4900 };
  const read = (tool: ToolClass, given: object) => planOf(tool).readInput(given as Record<string, unknown>, { owned: false, repair: true });

  it("the value that arrives needn't follow the rules: a text that is trimmed, a list as text, cents", async () => {
    expect((await valuesOf(SellTool, { ...sale, gift: "true" })).sale).toEqual(
      Object.assign(new SaleDto(), { channel: "WEB", tags: ["aa", "bb"], euros: 49, gift: true }),
    );
  });

  it("a person who confirms, and the record, see what the model wrote", async () => {
    expect(await read(SellTool, sale)).toMatchObject({ ok: true, value: { input: sale } });
  });

  it("the value that it makes must follow them", () => {
    expect(errorOf(SellTool, { ...sale, channel: "fax", tags: "a,bb", euros: 5100 })).toBe(
      "channel must be one of the following values: WEB, PHONE; " +
        "tags[0] must be longer than or equal to 2 characters; euros must not be greater than 50",
    );
  });

  it("one that throws is a fault of its value, and the error reports all of them", () => {
    expect(errorOf(SellTool, { ...sale, channel: 7, tags: ["aa"] })).toBe(
      "channel can't be read: value.trim is not a function; tags can't be read: value.split is not a function",
    );
  });

  it("the model receives the schema of the rules if no type is declared beside them", () => {
    expect(SellTool.parametersSchema.properties).toMatchObject({
      channel: { type: "string", enum: ["WEB", "PHONE"] },
      tags: { type: "array", items: { type: "string", minLength: 2 } },
      euros: { type: "number", maximum: 50 },
    });
  });

  it("what isn't transformed is checked and repaired as ever", async () => {
    class MixedDto {
      @Transform(({ value }) => value.trim()) @IsIn(["WEB"]) channel!: string;
      @IsInt() quantity!: number;
    }

    @description("Sells. Use when the user buys.")
    class MixedTool extends Tool {
      @input(MixedDto) sale!: MixedDto;

      call(): void {}
    }

    expect(errorOf(MixedTool, { channel: " WEB", quantity: "many" })).toMatch(/^quantity /);
    expect(errorOf(MixedTool, { channel: " WEB", quantity: 1, discount: 9 })).toMatch(/^discount /);
    expect(errorOf(MixedTool, { quantity: 1 })).toBe("channel is required");
    expect(await read(MixedTool, { channel: " WEB", quantity: "3" })).toMatchObject({
      ok: true,
      value: { values: { sale: { channel: "WEB", quantity: 3 } } },
    });
  });

  it("a type that is declared beside it is the only one sent to the model, and is validated before the transform runs", async () => {
    @description("Pays. Use when the user pays.")
    class PayTool extends Tool {
      @required(Integer, { description: "In cents", minimum: 1 }) @Transform(({ value }) => value / 100) @Max(50) euros!: number;
      @required({ schema: { type: "string" } }) @Transform(({ value }) => value.split(",")) @IsArray() @ArrayMaxSize(2) tags!: string[];
      @required(Number) @Transform(({ value }) => Math.round(value)) @IsInt() weight!: number;

      call(): void {}
    }

    const payment = { euros: 4900, tags: "a,b", weight: 1.6 };
    expect(PayTool.parametersSchema.properties).toEqual({
      euros: { type: "integer", description: "In cents", minimum: 1 },
      tags: { type: "string" },
      weight: { type: "number" },
    });
    expect(await valuesOf(PayTool, payment)).toEqual({ euros: 49, tags: ["a", "b"], weight: 2 });
    expect(errorOf(PayTool, { ...payment, euros: 0, tags: ["a"] })).toBe(
      "euros must be at least 1, got 0; tags must be a string, got an array",
    );
    expect(errorOf(PayTool, { ...payment, euros: 5100 })).toBe("euros must not be greater than 50");
  });

  it("options beside an inferred type stay checked", () => {
    @description("Sells. Use when the user buys.")
    class NamedTool extends Tool {
      @required({ maxLength: 5 }) @Transform(({ value }) => value.trim()) @IsIn(["WEB"]) channel!: string;

      call(): void {}
    }

    expect(errorOf(NamedTool, { channel: "  WEB  " })).toMatch(/^channel .*5/);
    expect(planOf(NamedTool).readInput({ channel: " WEB" }, { owned: false, repair: false })).toMatchObject({
      ok: true,
      value: { values: { channel: "WEB" } },
    });
  });

  it("faults in lists of classes name the item", () => {
    class LineDto {
      @Transform(({ value }) => value.trim()) @IsIn(["A", "B"]) sku!: string;
    }
    class OrderDto {
      @ValidateNested({ each: true }) @Type(() => LineDto) lines!: LineDto[];
    }

    @description("Orders. Use when the user buys.")
    class OrderTool extends Tool {
      @input(OrderDto) order!: OrderDto;

      call(): void {}
    }

    expect(errorOf(OrderTool, { lines: [{ sku: " A" }, { sku: 5 }] })).toBe("lines[1].sku can't be read: value.trim is not a function");
    expect(errorOf(OrderTool, { lines: [{ sku: " A" }, { sku: " C" }] })).toBe("lines[1].sku must be one of the following values: A, B");
  });

  it("of several classes, the value is of the first whose rules hold after it", async () => {
    class CardDto {
      @Transform(({ value }) => value.trim()) @IsIn(["card"]) kind!: string;
    }
    class CashDto {
      @Transform(({ value }) => value.trim()) @IsIn(["cash"]) kind!: string;
    }

    @description("Pays. Use when the user pays.")
    class PayTool extends Tool {
      @required(anyOf(CardDto, CashDto)) by!: CardDto | CashDto;

      call(): void {}
    }

    expect((await valuesOf(PayTool, { by: { kind: "cash " } })).by).toEqual(Object.assign(new CashDto(), { kind: "cash" }));
    expect(errorOf(PayTool, { by: { kind: "tip" } })).toBe("by.kind must be one of the following values: card");
  });

  it("an object that it makes of text gets no prototype from there", async () => {
    class FilterDto {
      @IsString() field!: string;
    }
    class SearchDto {
      @Transform(({ value }) => JSON.parse(value)) @ValidateNested() filter!: FilterDto;
    }

    @description("Searches. Use when the user looks for something.")
    class SearchTool extends Tool {
      @input(SearchDto) search!: SearchDto;

      call(): void {}
    }

    const { search } = (await valuesOf(SearchTool, { filter: '{"field":"a","__proto__":{"admin":true}}' })) as { search: SearchDto };
    expect(search.filter).toBeInstanceOf(FilterDto);
    expect(search.filter).toEqual(Object.assign(new FilterDto(), { field: "a" }));
  });

  it("a result is checked as the rules say: nothing transforms it", () => {
    class StockDto {
      @Transform(({ value }) => value.trim()) @IsIn(["full", "empty"]) state!: string;
    }

    @description("Tells the stock. Use when asked for it.")
    @returns(StockDto)
    class StockTool extends Tool {
      call(): StockDto {
        return { state: "full" };
      }
    }

    expect(planOf(StockTool).readOutput?.({ state: "full" })).toMatchObject({ ok: true });
    expect(planOf(StockTool).readOutput?.({ state: " full" })).toMatchObject({ ok: false });
  });
});

describe("Standard Schemas", () => {
  @description("Finds rooms. Use when the size is known.")
  class RoomsTool extends Tool {
    @required(z.object({ size: z.number().int().min(1), tags: z.array(z.string()).default([]) }))
    filter!: { size: number; tags: string[] };

    call(): void {}
  }

  it("validate for themselves, and their output is assigned", async () => {
    expect(await valuesOf(RoomsTool, { filter: { size: 2 } })).toEqual({ filter: { size: 2, tags: [] } });
    expect(errorOf(RoomsTool, { filter: { size: 0, tags: [1] } })).toBe(
      "filter.size is invalid: Too small: expected number to be >=1; filter.tags[0] is invalid: expected string, received number",
    );
  });
});
