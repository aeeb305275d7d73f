import "reflect-metadata";
import {
  IsArray,
  IsDateString,
  IsEmail,
  IsInt,
  IsLowercase,
  IsNumber,
  IsOptional,
  IsPhoneNumber,
  IsString,
  IsUrl,
  MinDate,
  MinLength,
  registerDecorator,
  ValidateIf,
} from "class-validator";
import { description, input, required, Tool, type ToolClass } from "../../src/tool/index.js";
import { validateToolInput } from "../../src/tool/internal.js";
import { rulesOf } from "../../src/tool/bridges/class-validator.js";
import { everyRule } from "../support/rule-catalogue.js";

function propertiesOf(Fields: new () => object): Record<string, unknown> {
  @description("Saves. Use when asked to.")
  class SaveTool extends Tool {
    @input(Fields) fields!: object;

    call(): void {}
  }
  return (SaveTool as ToolClass).parametersSchema.properties as Record<string, unknown>;
}

const later: PropertyDecorator = (target, propertyName) =>
  registerDecorator({
    name: "later",
    target: target.constructor,
    propertyName: String(propertyName),
    constraints: ["from"],
    validator: { validate: () => true, defaultMessage: () => "$property must be later than $constraint1" },
  });

const taken: PropertyDecorator = (target, propertyName) =>
  registerDecorator({
    name: "free",
    target: target.constructor,
    propertyName: String(propertyName),
    options: { message: "$property is taken" },
    validator: { validate: () => true },
  });

describe("what no keyword can say about a rule is in the field's description", () => {
  it("in one clause behind the author's own words", () => {
    class Fields {
      @required(String, "The link to the page") @IsUrl() @IsLowercase() link!: string;
      @required(String, "When it is due.") @IsDateString() due!: string;
    }
    expect(propertiesOf(Fields)).toMatchObject({
      link: { description: "The link to the page. Must be a URL address and must be a lowercase string." },
      due: { description: "When it is due. Must be a valid ISO 8601 date string." },
    });
  });

  it("alone for a DTO, for items of a list, decimal places, dates and rules of the application's own", () => {
    class Fields {
      @IsUrl() link!: string;
      @IsOptional() @IsPhoneNumber("US") phone?: string;
      @IsArray() @IsUrl({}, { each: true }) links!: string[];
      @IsNumber({ maxDecimalPlaces: 2 }) price!: number;
      @MinDate(new Date(0)) day!: Date;
      @IsInt() @later to!: number;
    }
    expect(propertiesOf(Fields)).toMatchObject({
      link: { description: "Must be a URL address." },
      phone: { description: "Must be a valid phone number." },
      links: { description: "Each item must be a URL address." },
      price: { description: "Must have at most 2 decimal places." },
      day: { description: "Must not be before 1970-01-01T00:00:00.000Z." },
      to: { description: "Must be later than from." },
    });
  });

  it("and not if a keyword says it, if the rule may not hold, or if it is about a value that failed", () => {
    class Fields {
      @MinLength(2) name!: string;
      @IsEmail() mail!: string;
      @ValidateIf(() => false) @IsUrl() link!: string;
      @taken @IsString() user!: string;
    }
    for (const property of Object.values(propertiesOf(Fields))) expect(property).not.toHaveProperty("description");
  });

  it("for each of class-validator's rules that a text alone doesn't say", () => {
    const clauses = [...everyRule].flatMap(([name, rule]) => {
      class Fields {}
      rule()(Fields.prototype, "value");
      return (rulesOf(Fields)?.get("value")?.clauses ?? []).map((clause) => `${name}: ${clause}`);
    });
    const silent = [...everyRule].filter(([, rule]) => {
      class Fields {}
      rule()(Fields.prototype, "value");
      const rules = rulesOf(Fields)?.get("value");
      const says = Object.keys(rules?.schema ?? {}).some((keyword) => keyword !== "type");
      return !says && rules?.clauses.length === 0;
    });
    // Their types say them, or no argument can be right or wrong by them.
    const saidByType = ["IsBoolean", "IsDate", "IsNumber", "IsInt", "IsString", "IsArray", "IsObject", "IsInstance"];
    expect(silent.map(([name]) => name)).toEqual(["Allow", "IsDefined", ...saidByType]);
    expect(clauses.length).toBeGreaterThan(40);
  });
});

it("a list whose items nothing names gets advice for its own decorators", () => {
  class Fields {
    @IsArray() tags!: string[];
  }
  expect(() => propertiesOf(Fields)).toThrow(
    "Fields.tags: type unknown, because the compiler emits only that it is an array, not its item type. " +
      "Say what the list holds: @IsString({ each: true }) tags, or @Type(() => Item) tags for a class.",
  );
});

it("class-validator's message wins over the words of the keyword, at any depth", () => {
  class Part {
    @MinLength(2, { message: "Name the part in full" }) name!: string;
  }
  class Fields {
    @required(String) @MinLength(8, { message: "$property needs $constraint1 characters" }) password!: string;
    @required([Part]) parts!: Part[];
    @required(String) @MinLength(2) plain!: string;
    @required([String]) @IsLowercase({ each: true }) @MinLength(2, { each: true, message: "Spell each tag out" }) tags!: string[];
  }
  @description("Saves. Use when asked to.")
  class SaveTool extends Tool {
    @input(Fields) fields!: Fields;

    call(): void {}
  }
  const checked = validateToolInput(SaveTool, { password: "abc", parts: [{ name: "a" }, {}], plain: "a", tags: ["a"] });
  expect(checked.ok ? [] : checked.error.split("; ")).toEqual([
    "password needs 8 characters",
    "parts[0].name is invalid: Name the part in full",
    "parts[1].name is invalid: Name the part in full",
    "plain must have at least 2 characters, has 1",
    "tags[0] is invalid: Spell each tag out",
  ]);
});
