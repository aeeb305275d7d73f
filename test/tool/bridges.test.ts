import "reflect-metadata";
import { Expose, Transform, Type } from "class-transformer";
import {
  ArrayNotEmpty,
  IsBoolean,
  IsDate,
  IsEnum,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Matches,
  Min,
  MinLength,
  registerDecorator,
  ValidateIf,
  ValidateNested,
} from "class-validator";
import { z } from "zod";
import {
  description,
  input,
  optional,
  required,
  Tool,
  type ToolClass,
  ToolDefinitionError,
  validateToolInput,
  validateToolInputAsync,
} from "../../src/tool/index.js";
import { planOf } from "../../src/tool/plan.js";

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

  it("takes null where @IsOptional takes it", () => {
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

  it("see the other arguments where they are conditional", () => {
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

  it('case 5: the text "false" is a type error, or false where repairs are tried, and never true', async () => {
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
