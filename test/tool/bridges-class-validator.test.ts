import "reflect-metadata";
import { Type } from "class-transformer";
import {
  Allow,
  ArrayMinSize,
  Equals,
  IsArray,
  IsDefined,
  IsEmail,
  IsEmpty,
  IsEnum,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Matches,
  MaxLength,
  Min,
  MinLength,
  registerDecorator,
  Validate,
  ValidateIf,
  ValidateNested,
  type ValidationArguments,
  ValidatorConstraint,
} from "class-validator";
import { describeFaults, type Fault } from "../../src/schema/index.js";
import { checkByRules, rulesOf } from "../../src/tool/bridges/class-validator.js";

/** An instance as the library makes it: the arguments on a fresh object of the class. */
function filled<T extends object>(constructor: new () => T, values: object): T {
  return Object.assign(new constructor(), values);
}

/** The faults of an instance whose rules all answer at once. */
function faultsOf<T extends object>(constructor: new () => T, values: object): readonly Fault[] {
  const faults = checkByRules(filled(constructor, values));
  if (faults instanceof Promise) throw new Error("the rules answered later");
  return faults;
}

const textOf = (faults: readonly Fault[]): string => describeFaults(faults);

describe("class-validator rules of a class", () => {
  it("are unknown for a class without any", () => {
    class Plain {}
    expect(rulesOf(Plain)).toBeUndefined();
    expect(checkByRules(new Plain())).toEqual([]);
  });

  it("give the keywords that say exactly the same", () => {
    class Order {
      @IsString()
      @Length(2, 40)
      customer!: string;

      @IsInt()
      @Min(1)
      quantity!: number;
    }
    expect(rulesOf(Order)?.get("customer")).toMatchObject({
      required: true,
      nullable: false,
      type: "string",
      schema: { type: "string", minLength: 2, maxLength: 40 },
    });
    expect(rulesOf(Order)?.get("quantity")?.schema).toEqual({ type: "integer", minimum: 1 });
  });

  it("keep integer in whatever order @IsInt, @IsNumber and @Min are written", () => {
    class Page {
      @Min(1) @IsInt() first!: number;
      @IsInt() @Min(1) second!: number;
      @IsNumber() @IsInt() third!: number;
      @IsInt() @IsNumber() fourth!: number;
    }
    for (const rules of rulesOf(Page)?.values() ?? []) expect(rules.type).toBe("integer");
    expect(rulesOf(Page)?.get("first")?.schema).toEqual({ type: "integer", minimum: 1 });
    expect(rulesOf(Page)?.get("fourth")?.schema).toEqual({ type: "integer" });
  });

  it("hold together if two say the same keyword", () => {
    class Code {
      @Matches(/^[A-Z]/)
      @Matches(/[0-9]$/)
      code!: string;

      @MinLength(3)
      @Length(5, 9)
      name!: string;
    }
    expect(rulesOf(Code)?.get("code")?.schema).toEqual({ type: "string", pattern: "[0-9]$", allOf: [{ pattern: "^[A-Z]" }] });
    expect(rulesOf(Code)?.get("name")?.schema).toEqual({ type: "string", minLength: 5, maxLength: 9, allOf: [{ minLength: 3 }] });
  });

  it("put rules of each item under items", () => {
    class Search {
      @IsArray()
      @ArrayMinSize(1)
      @IsString({ each: true })
      @MaxLength(10, { each: true })
      tags!: string[];
    }
    expect(rulesOf(Search)?.get("tags")).toMatchObject({
      each: true,
      type: "array",
      schema: { type: "array", minItems: 1, items: { type: "string", maxLength: 10 } },
    });
  });

  it("case 11: list an enum's values on the wire, never its names", () => {
    enum Taste {
      Mild = "mild",
      Hot = "hot",
    }
    enum Level {
      Low,
      High = 10,
    }
    class Curry {
      @IsEnum(Taste) taste!: Taste;
      @IsEnum(Level) level!: Level;
    }
    expect(rulesOf(Curry)?.get("taste")).toMatchObject({ type: "string", schema: { type: "string", enum: ["mild", "hot"] } });
    expect(rulesOf(Curry)?.get("level")).toMatchObject({ type: "integer", schema: { type: "integer", enum: [0, 10] } });
    expect(textOf(faultsOf(Curry, { taste: "Mild", level: 0 }))).toBe("taste must be one of the following values: mild, hot");
  });

  it("allow null if the rules name it", () => {
    class Choice {
      @IsIn(["a", null]) named!: string | null;
      @IsString() @IsIn(["a", null]) refusedByAnotherRule!: string;
      @IsIn(["a", 1, true]) mixed!: unknown;
      @Equals("on") constant!: string;
    }
    expect(rulesOf(Choice)?.get("named")).toMatchObject({ nullable: true, type: "string", schema: { enum: ["a", null] } });
    expect(rulesOf(Choice)?.get("refusedByAnotherRule")?.nullable).toBe(false);
    expect(rulesOf(Choice)?.get("mixed")).toEqual({
      required: true,
      nullable: false,
      schema: { enum: ["a", 1, true] },
      nested: false,
      clauses: [],
      each: false,
    });
    expect(rulesOf(Choice)?.get("constant")).toMatchObject({ type: "string", schema: { type: "string", const: "on" } });
  });
});

describe("what is required", () => {
  class Presence {
    @IsString() plain!: string;
    @IsOptional() @IsString() optional?: string;
    @ValidateIf((object: Presence) => object.plain === "x") @IsEmail() conditional?: string;
    @ValidateIf((object: Presence) => object.plain === "list") @IsInt({ each: true }) conditionalList?: number[];
    @IsDefined() defined!: unknown;
    @IsEmpty() empty?: string;
    @Allow() allowed?: unknown;
    @IsNotEmpty() filled!: string;
    @IsString({ validateIf: (_object, value) => value !== undefined }) perRule?: string;
  }

  it.each([
    ["plain", true, false],
    ["optional", false, true],
    ["conditional", false, true],
    ["defined", true, false],
    ["empty", false, true],
    ["allowed", false, true],
    ["filled", true, false],
    ["perRule", false, true],
  ])("%s: required %s, null allowed %s", (property, required, nullable) => {
    expect(rulesOf(Presence)?.get(property)).toMatchObject({ required, nullable });
  });

  it("@IsOptional goes before @IsDefined, as in class-validator", () => {
    class Both {
      @IsOptional() @IsDefined() value?: string;
    }
    expect(rulesOf(Both)?.get("value")).toMatchObject({ required: false, nullable: true });
    expect(faultsOf(Both, {})).toEqual([]);
  });

  it("keeps only the type of a rule that a condition may switch off", () => {
    expect(rulesOf(Presence)?.get("conditional")).toMatchObject({ type: "string", schema: {} });
    expect(rulesOf(Presence)?.get("conditionalList")).toEqual({
      required: false,
      nullable: true,
      type: "array",
      schema: {},
      nested: false,
      clauses: [],
      each: true,
    });
    expect(textOf(faultsOf(Presence, { plain: "y", conditional: "no address", defined: 1, filled: "f" }))).toBe("");
    expect(textOf(faultsOf(Presence, { plain: "x", conditional: "no address", defined: 1, filled: "f" }))).toBe(
      "conditional must be an email",
    );
  });

  it("doesn't say that a value which must not be empty is a string", () => {
    expect(rulesOf(Presence)?.get("filled")).not.toHaveProperty("type");
    expect(faultsOf(Presence, { plain: "y", defined: 0, filled: 0 })).toEqual([]);
  });
});

describe("inheritance", () => {
  class Base {
    @IsInt() id!: number;
    @IsOptional() @IsString() name?: string;
  }
  class Child extends Base {
    @MinLength(2) declare name: string;
  }
  class Grandchild extends Child {}

  it("case 14: a grandchild without decorators keeps its parents' fields", () => {
    class Tagged extends Base {
      @IsOptional() tags?: string[];
    }
    class Bare extends Tagged {}
    const rules = rulesOf(Bare);
    expect([...(rules?.keys() ?? [])]).toEqual(["id", "name", "tags"]);
    expect([...(rules ?? [])].filter(([, { required }]) => required).map(([property]) => property)).toEqual(["id"]);
  });

  it("case 16: a field that is optional in the base and decorated again in the child is required there", () => {
    expect(rulesOf(Child)?.get("name")?.required).toBe(true);
    expect(rulesOf(Grandchild)?.get("name")?.required).toBe(true);
    expect(textOf(faultsOf(Child, { id: 1 }))).toBe("name must be longer than or equal to 2 characters");
    expect(rulesOf(Base)?.get("name")?.required).toBe(false);
    expect(faultsOf(Base, { id: 1 })).toEqual([]);
  });

  it("a child that only makes a field optional keeps the base's other rules", () => {
    class Patch extends Base {
      @IsOptional() declare id: number;
    }
    expect(rulesOf(Patch)?.get("id")).toMatchObject({ required: false, schema: { type: "integer" } });
    expect(textOf(faultsOf(Patch, { id: "x" }))).toBe("id must be an integer number");
  });

  it("siblings see nothing of each other", () => {
    class Sister extends Base {}
    expect(rulesOf(Sister)?.get("name")).toEqual(rulesOf(Base)?.get("name"));
  });
});

describe("running the rules", () => {
  class Line {
    @IsString() sku!: string;
    @IsNumber() @Min(0) price!: number;
  }
  class Order {
    @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
    main?: Line;
    byName?: Record<string, Line>;
  }

  it("names every fault at once, with its path", () => {
    const order = filled(Order, { lines: [filled(Line, { sku: "a", price: 1 }), filled(Line, { sku: 7, price: -1 })] });
    expect(checkByRules(order)).toEqual([
      { path: "lines[1].sku", message: "must be a string", keyword: "isString" },
      { path: "lines[1].price", message: "must not be less than 0", keyword: "min" },
    ]);
  });

  it("checks nested instances also if @ValidateNested is missing", () => {
    const bad = filled(Line, { sku: "a", price: -1 });
    const order = filled(Order, { lines: [], main: bad, byName: { first: filled(Line, { sku: "b", price: -2 }) } });
    expect(textOf(checkByRules(order) as Fault[])).toBe("main.price must not be less than 0; byName.first.price must not be less than 0");
  });

  it("asks for objects if @ValidateNested is there", () => {
    expect(textOf(faultsOf(Order, { lines: [{ sku: "a" }, "text", null] }))).toBe(
      "lines[1] must be either object or array; lines[2] must be either object or array",
    );
  });

  it("names the item of a list that breaks a rule, and says what is wrong with that item", () => {
    class Tags {
      @Length(2, 5, { each: true }) tags!: string[];
    }
    expect(textOf(faultsOf(Tags, { tags: ["ab", "toolong", "x"] }))).toBe(
      "tags[1] must be shorter than or equal to 5 characters; tags[2] must be longer than or equal to 2 characters",
    );
  });

  it("reads a message of the application's own as a sentence after the path", () => {
    class Login {
      @MinLength(8, { message: "Choose a longer password than $value, at least $constraint1 characters" }) password!: string;
      @IsEmail({}, { message: ({ property }: ValidationArguments) => `${property} looks wrong` }) email!: string;
    }
    expect(textOf(faultsOf(Login, { password: "abc", email: "x" }))).toBe(
      "password is invalid: Choose a longer password than abc, at least 8 characters; email looks wrong",
    );
  });

  it("runs rules of every group, as class-validator does when no group is asked for", () => {
    class Grouped {
      @MinLength(3, { groups: ["create"] }) name!: string;
    }
    expect(rulesOf(Grouped)?.get("name")?.schema).toEqual({ type: "string", minLength: 3 });
    expect(textOf(faultsOf(Grouped, { name: "ab" }))).toBe("name must be longer than or equal to 3 characters");
  });

  it("ends at circular instances", () => {
    const order = filled(Order, { lines: [] });
    expect(checkByRules(Object.assign(order, { self: order }))).toEqual([]);
  });

  it("takes a number that class-validator's own rule can't read as a fault", () => {
    class Price {
      @IsNumber({ maxDecimalPlaces: 2 }) price!: number;
    }
    expect(faultsOf(Price, { price: 19.99 })).toEqual([]);
    expect(textOf(faultsOf(Price, { price: 1e-7 }))).toBe("price must be a number conforming to the specified constraints");
  });
});

describe("rules of the application's own", () => {
  it("run, and receive the object", () => {
    @ValidatorConstraint({ name: "later" })
    class Later {
      validate(value: unknown, { object, constraints: [other] }: ValidationArguments): boolean {
        return Number(value) > Number((object as Record<string, unknown>)[String(other)]);
      }
      defaultMessage(): string {
        return "$property must be later than $constraint1";
      }
    }
    class Stay {
      @IsInt() from!: number;
      @Validate(Later, ["from"]) to!: number;
    }
    expect(rulesOf(Stay)?.get("to")?.schema).toEqual({});
    expect(faultsOf(Stay, { from: 1, to: 2 })).toEqual([]);
    expect(faultsOf(Stay, { from: 2, to: 1 })).toEqual([{ path: "to", message: "must be later than from", keyword: "later" }]);
  });

  function registered(name: string, validate: (value: unknown) => boolean | Promise<boolean>, async?: boolean): PropertyDecorator {
    return (target, propertyName) =>
      registerDecorator({
        name,
        target: target.constructor,
        propertyName: String(propertyName),
        ...(async === undefined ? {} : { async }),
        options: { message: "$property is taken" },
        validator: { validate },
      });
  }

  it.each([
    ["declared asynchronous", true],
    ["that only return a promise", undefined],
  ])("%s are awaited", async (_case, declared) => {
    class Account {
      @registered("free", async (value) => value !== "root", declared) @IsString() name!: string;
    }
    const faults = checkByRules(filled(Account, { name: "root" }));
    expect(faults).toBeInstanceOf(Promise);
    expect(textOf(await faults)).toBe("name is taken");
    expect(await checkByRules(filled(Account, { name: "eve" }))).toEqual([]);
  });

  it("let what they throw through, at once or later", async () => {
    class Broken {
      @registered("connected", () => {
        throw new Error("no connection");
      })
      id!: string;
    }
    class BrokenLater {
      @registered("connected", () => Promise.reject(new Error("no connection"))) id!: string;
    }
    expect(() => checkByRules(filled(Broken, { id: "1" }))).toThrow("no connection");
    await expect(checkByRules(filled(BrokenLater, { id: "1" }))).rejects.toThrow("no connection");
  });

  it("without a message are named", () => {
    class Account {
      @(
        (target: object, propertyName: string) =>
          registerDecorator({ name: "isLucky", target: target.constructor, propertyName, validator: { validate: () => false } })
      )
      number!: number;
    }
    expect(textOf(faultsOf(Account, { number: 13 }))).toBe("number breaks the rule isLucky");
  });
});
