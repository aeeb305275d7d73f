import "reflect-metadata";
import { Exclude, Expose, Transform, Type } from "class-transformer";
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDateString,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from "class-validator";
import { Integer } from "../../src/schema/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { description, input, optional, required, Tool, type ToolClass, ToolDefinitionError } from "../../src/tool/index.js";
import { validateToolInput } from "../../src/tool/internal.js";
import { planOf } from "../../src/tool/definition/make-tool-plan.js";

/** A tool whose parameters are the fields of the class, and which returns what arrived. */
function toolOf(Fields: new () => object): ToolClass {
  @description("Saves. Use when asked to.")
  class SaveTool extends Tool {
    @input(Fields) fields!: object;

    call() {
      return { ...this.fields };
    }
  }
  return SaveTool;
}

const errorOf = (tool: ToolClass, given: object): string => {
  const checked = validateToolInput(tool, given);
  return checked.ok ? "" : checked.error;
};

class Part {
  @IsString() name!: string;
}

describe("a field that a subclass declares again", () => {
  it("loses rules of another kind: @IsString under @ValidateNested", async () => {
    class Base {
      @IsString() part!: unknown;
    }
    class Child extends Base {
      @ValidateNested() @Type(() => Part) declare part: Part;
    }
    expect(await invokeTool(toolOf(Child), { part: { name: "a" } })).toEqual({ part: { name: "a" } });
  });

  it("loses rules that its own options contradict: @MinLength(10) under maxLength 3", () => {
    class Base {
      @required(String) @MinLength(10) code!: string;
    }
    class Child extends Base {
      @required(String, { maxLength: 3 }) declare code: string;
    }
    expect(errorOf(toolOf(Child), { code: "abc" })).toBe("");
    expect(errorOf(toolOf(Base), { code: "abc" })).not.toBe("");
  });

  it("loses the base's @Transform, in arguments and in nested classes that class-transformer makes", async () => {
    class Base {
      @Transform(({ value }) => value.trim().split(",")) @IsArray() @IsString({ each: true }) count!: unknown;
      @Transform(({ value }) => value.trim()) @IsString() name!: string;
    }
    class Child extends Base {
      @IsInt() declare count: number;
    }
    class Order {
      @Transform(({ value }) => value.trim()) @IsString() note!: string;
      @ValidateNested({ each: true }) @Type(() => Child) lines!: Child[];
    }
    expect(await invokeTool(toolOf(Child), { count: 3, name: " a " })).toEqual({ count: 3, name: "a" });
    expect(await invokeTool(toolOf(Order), { note: " n ", lines: [{ count: 3, name: " a " }] })).toEqual({
      note: "n",
      lines: [{ count: 3, name: "a" }],
    });
    expect(errorOf(toolOf(Base), { count: 3, name: "a" })).toMatch(/^count can't be read/);
  });

  it("loses them on a tool's own fields too, with the type, name and exclusion that class-transformer knows", async () => {
    abstract class BaseTool extends Tool {
      @required(String) @Transform(({ value }) => value.trim()) @MinLength(3) amount!: unknown;
      @required(String) @Exclude() token!: unknown;
      @required(String) @Expose({ name: "user_name" }) user!: unknown;
      @required([String]) @Type(() => String) tags!: unknown;
    }
    @description("Pays. Use when the user pays.")
    class PayTool extends BaseTool {
      @required(Integer) declare amount: number;
      @required(String) declare token: string;
      @required(String) declare user: string;
      @required(Integer) declare tags: number;

      call() {
        return [this.amount, this.token, this.user, this.tags];
      }
    }
    expect(await invokeTool<ToolClass>(PayTool, { amount: 5, token: "t", user: "eve", tags: 7 })).toEqual([5, "t", "eve", 7]);
  });

  it("takes a single value for the base's list, and a list for its single value", () => {
    class Base {
      @IsString({ each: true }) tags!: unknown;
      @IsInt() numbers!: unknown;
    }
    class Child extends Base {
      @IsIn(["a"]) declare tags: string;
      @IsInt({ each: true }) declare numbers: number[];
    }
    expect(errorOf(toolOf(Child), { tags: "a", numbers: [1] })).toBe("");
  });

  it("keeps the base's rules and transforms if the subclass only makes it optional", async () => {
    class Base {
      @Transform(({ value }) => value.trim()) @MinLength(2) name!: string;
    }
    class Patch extends Base {
      @IsOptional() declare name: string;
    }
    expect(await invokeTool(toolOf(Patch), { name: " ab " })).toEqual({ name: "ab" });
    expect(errorOf(toolOf(Patch), { name: " a " })).toMatch(/^name must be longer/);
    expect(errorOf(toolOf(Patch), {})).toBe("");
  });

  it("keeps the item type of the base's @Type, unless its own emitted type is another", () => {
    class Base {
      @ValidateNested({ each: true }) @Type(() => Part) parts!: Part[];
      @IsString() @Type(() => String) count!: unknown;
    }
    class Child extends Base {
      @ArrayMaxSize(1) declare parts: Part[];
      @IsInt() declare count: number;
    }
    expect(errorOf(toolOf(Child), { parts: [{ name: "a" }], count: 1 })).toBe("");
    expect(errorOf(toolOf(Child), { parts: [{ name: 1 }], count: 1 })).toMatch(/^parts\[0\]\.name /);
  });

  it("leaves the base and its other subclasses as they were", () => {
    class Base {
      @Transform(({ value }) => value.trim()) @MinLength(2) name!: string;
    }
    class Child extends Base {
      @IsBoolean() declare name: never;
    }
    class Sister extends Base {}
    expect(errorOf(toolOf(Child), { name: true })).toBe("");
    expect(errorOf(toolOf(Sister), { name: " ab " })).toBe("");
    expect(errorOf(toolOf(Sister), { name: true })).toMatch(/^name can't be read/);
  });
});

describe("a field under @optional", () => {
  class PageDto {
    @optional(Integer) @Min(1) page?: number;
  }
  @description("Lists. Use when asked to.")
  class ListTool extends Tool {
    @optional(Integer) @Min(1) limit?: number;
    @optional(String) @IsNotEmpty() @MinLength(2) word?: string;
    @optional(Integer, { default: 5 }) @Min(1) size!: number;
    @optional({ schema: { type: ["integer", "null"] } }) @Min(1) nullable?: number | null;
    @optional(PageDto) inner?: PageDto;

    call() {
      return { ...this };
    }
  }

  it("skips its class-validator rules if it is absent", () => {
    expect(errorOf(ListTool, {})).toBe("");
    expect(errorOf(ListTool, { inner: {} })).toBe("");
    expect(errorOf(toolOf(PageDto), {})).toBe("");
  });

  it("skips them if it is null, which a model's call may send for an absent value", async () => {
    expect(await invokeTool<ToolClass>(ListTool, { nullable: null })).toEqual({ nullable: null, size: 5 });
    const sent = { limit: null, word: null, inner: { page: null } };
    expect(await planOf(ListTool).readInput(sent, { owned: false, repair: true })).toMatchObject({
      ok: true,
      value: { input: { size: 5 } },
    });
  });

  it("follows them if a value is there", () => {
    expect(errorOf(ListTool, { limit: 0, word: "a", size: 0, nullable: 0, inner: { page: 0 } })).toMatch(
      /limit.*word.*size.*nullable.*page/,
    );
  });

  it("follows them again if a subclass requires it", () => {
    class Child extends PageDto {
      @required(Integer) @Min(1) declare page: number;
    }
    expect(errorOf(toolOf(Child), {})).toBe("page is required");
  });

  it("stays optional if a subclass adds rules alone", () => {
    class Child extends PageDto {
      @Min(3) declare page?: number;
    }
    expect(errorOf(toolOf(Child), {})).toBe("");
    expect(errorOf(toolOf(Child), { page: 2 })).toBe("page must be at least 3, got 2");
  });
});

describe("a definition that no value can satisfy is rejected", () => {
  const rejected = (Fields: new () => object): string => {
    try {
      return String(toolOf(Fields).definition);
    } catch (error) {
      expect(error).toBeInstanceOf(ToolDefinitionError);
      return (error as Error).message;
    }
  };

  it("if type and rules differ", () => {
    class Fields {
      @required(String) @IsInt() value!: string;
    }
    expect(rejected(Fields)).toBe(
      "Fields.value: no value can be right: the type is string, and the rules ask for integer. Change one of them, or take it away.",
    );
  });

  it("if two rules ask for different types", () => {
    class Fields {
      @IsString() @IsInt() value!: unknown;
    }
    expect(rejected(Fields)).toContain("one rule asks for integer, another for string");
  });

  it("if a lower bound is above an upper one, in whichever class each is set", () => {
    class ByRule {
      @required(String, { maxLength: 3 }) @MinLength(10) value!: string;
    }
    class ByRules {
      @MinLength(10) @MaxLength(3) value!: string;
    }
    class ByOptions {
      @required(Integer, { minimum: 10, maximum: 3 }) value!: number;
    }
    expect(rejected(ByRule)).toContain("minLength 10 is above maxLength 3");
    expect(rejected(ByRules)).toContain("minLength 10 is above maxLength 3");
    expect(rejected(ByOptions)).toContain("minimum 10 is above maximum 3");
  });

  it("but not if a @Transform makes what the rule asks for of what the option allows", async () => {
    class Fields {
      @required(String, { maxLength: 3 }) @Transform(({ value }) => value.padStart(10, "0")) @MinLength(10) value!: string;
    }
    expect(await invokeTool(toolOf(Fields), { value: "42" })).toEqual({ value: "0000000042" });
  });

  it("if no value of an enum fulfils the rules", () => {
    class Fields {
      @required({ enum: ["a", "b"] }) @IsIn(["c"]) value!: string;
    }
    class Long {
      @IsIn(["a", "b"]) @MinLength(2) value!: string;
    }
    expect(rejected(Fields)).toContain("no value of its enum fulfils the rules");
    expect(rejected(Long)).toContain("no value that it lists fits its other rules");
  });

  it("if a date must be a string", () => {
    class Fields {
      @required(Date) @IsDateString() value!: Date;
    }
    expect(rejected(Fields)).toContain("it arrives as a Date, and the rules ask for string");
  });

  it("and an emitted Date under @IsDateString is the text that class-validator sees", async () => {
    class Fields {
      @IsDateString() value!: Date;
    }
    expect(await invokeTool(toolOf(Fields), { value: "2024-01-01" })).toEqual({ value: "2024-01-01" });
  });
});
