import "reflect-metadata";
import * as rules from "class-validator";
import fc from "fast-check";
import { compileSchema } from "../../src/schema/internal.js";
import { checkByRules, rulesOf } from "../../src/tool/bridges/class-validator.js";

enum Level {
  Low,
  High,
}
enum Size {
  Small = "small",
  Huge = "2xl",
}

/** A class with one property under one or more rules. */
function subjectOf(decorators: readonly PropertyDecorator[]): new () => object {
  class Subject {}
  for (const decorate of decorators) decorate(Subject.prototype, "value");
  return Subject;
}

/** What the schema, class-validator and Toolwright's own run of the rules say of a value. */
function verdicts(subject: new () => object, value: unknown): { schema: boolean; classValidator: boolean; ours: boolean } {
  const instance = Object.assign(new subject(), { value });
  const faults = checkByRules(instance);
  if (faults instanceof Promise) throw new Error("the rules answered later");
  return {
    schema: validatorOf(subject).validate(value, { owned: false, repair: false }).ok,
    classValidator: isTaken(instance),
    ours: faults.length === 0,
  };
}

const validators = new Map<object, ReturnType<typeof compileSchema>>();

/** Made once for all values of a subject. */
function validatorOf(subject: new () => object): ReturnType<typeof compileSchema> {
  const validator = validators.get(subject) ?? compileSchema(rulesOf(subject)?.get("value")?.schema ?? {});
  validators.set(subject, validator);
  return validator;
}

function isTaken(instance: object): boolean {
  try {
    return rules.validateSync(instance, { forbidUnknownValues: false, dismissDefaultMessages: true }).length === 0;
  } catch {
    return false; // @IsNumber({ maxDecimalPlaces: 2 }) throws at 1e-7
  }
}

const probes: readonly unknown[] = [
  ...[
    "",
    " ",
    "a",
    "A",
    "ab",
    "abc",
    "a.c",
    "aXc",
    "a1",
    "é",
    "ünï@example.com",
    "a@b.co",
    "a@b",
    '"a b"@x.com',
    "😀",
    "😀😀",
    "日本",
    "0",
    "-1",
  ],
  ...["small", "2xl", "Small", "Low", "High", "user-1", "a-b", "x\ny", "\n", "12", "1.5", "true", "false", "null"],
  ...["0xff", "0Xff", "ff", "507f1f77bcf86cd799439011", "0x7f1f77bcf86cd799439011", "507f1f77bcf86cd79943901g"],
  ...["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-42D3-A456-426614174000", "00000000-0000-0000-0000-000000000000"],
  ...["1.2.3.4", "01.2.3.4", "256.1.1.1", "::1", "::", "fe80::1%eth0", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8", ":::"],
  ...["23:59", "2359", "24:00", "2024-01-01", "2024-01-01T00:00:00Z", "2024-W01", "x.com", "https://x.com/a?b#c"],
  ...[0, 1, 2, 3, -1, -3, 0.5, 1.5, 6, 7, 19.99, 1e-7, 1e21, -0, 2 ** 53, 4.0000000000001, 123456789012.34, 999999.999],
  ...[
    true,
    false,
    null,
    {},
    { a: 1 },
    { a: null },
    [],
    [1],
    [1, 2],
    [1, 1],
    ["a"],
    ["a", "b"],
    ["a", "a"],
    [[]],
    [null],
    [true, 1],
    ["1", 1],
  ],
];

const anyValue = fc.oneof(
  fc.constantFrom(...probes),
  fc.string({ maxLength: 12 }),
  fc.string({ maxLength: 6, unit: fc.constantFrom("a", "b", "Z", "0", "f", "x", ":", ".", "-", "@", "é", "😀", "\n") }),
  fc.emailAddress(),
  fc.ipV4(),
  fc.ipV6(),
  fc.uuid(),
  fc.integer(),
  fc.integer({ min: -10, max: 10 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.array(fc.constantFrom(1, 2, "a", "b", true, null), { maxLength: 4 }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
);

type Case = readonly [name: string, decorators: readonly PropertyDecorator[]];

const exact: readonly Case[] = [
  ["IsString", [rules.IsString()]],
  ["IsBoolean", [rules.IsBoolean()]],
  ["IsInt", [rules.IsInt()]],
  ["IsNumber", [rules.IsNumber()]],
  ["IsArray", [rules.IsArray()]],
  ["IsObject", [rules.IsObject()]],
  ["IsNotEmptyObject", [rules.IsNotEmptyObject()]],
  ["IsEmpty", [rules.IsEmpty()]],
  ["Equals of text", [rules.Equals("a")]],
  ["Equals of a number", [rules.Equals(0)]],
  ["Equals of null", [rules.Equals(null)]],
  ["NotEquals", [rules.NotEquals("a")]],
  ["IsIn of one type", [rules.IsIn(["a", "ab"])]],
  ["IsIn of mixed types and null", [rules.IsIn(["a", 1, true, null])]],
  ["IsIn with a value that JSON can't hold", [rules.IsIn(["a", undefined, { a: 1 }, Number.NaN])]],
  ["IsNotIn", [rules.IsNotIn(["a", 1, null])]],
  ["IsEnum of texts", [rules.IsEnum(Size)]],
  ["IsEnum of a list", [rules.IsEnum(["a", "b"])]],
  ["Min", [rules.Min(1)]],
  ["Max", [rules.Max(1.5)]],
  ["IsPositive", [rules.IsPositive()]],
  ["IsNegative", [rules.IsNegative()]],
  ["MinLength", [rules.MinLength(2)]],
  ["MaxLength", [rules.MaxLength(2)]],
  ["Length", [rules.Length(1, 3)]],
  ["Length without maximum", [rules.Length(2)]],
  ["Matches", [rules.Matches(/^a.c$/)]],
  ["Matches of text", [rules.Matches("^a\\.c" as never)]],
  ["Matches with the flag u", [rules.Matches(/^\p{L}+$/u)]],
  ["two Matches", [rules.Matches(/^[a-z]/), rules.Matches(/[0-9]$/)]],
  ["Contains with metacharacters", [rules.Contains(".")]],
  ["Contains with more metacharacters", [rules.Contains("a-b/[")]],
  ["NotContains with metacharacters", [rules.NotContains(".")]],
  ["IsAlpha", [rules.IsAlpha()]],
  ["IsAlphanumeric", [rules.IsAlphanumeric("en-US")]],
  ["IsAscii", [rules.IsAscii()]],
  ["IsMultibyte", [rules.IsMultibyte()]],
  ["IsHexadecimal", [rules.IsHexadecimal()]],
  ["IsMongoId", [rules.IsMongoId()]],
  ["IsMilitaryTime", [rules.IsMilitaryTime()]],
  ["IsIP of version 4", [rules.IsIP("4")]],
  ["IsUUID of version 4", [rules.IsUUID("4")]],
  ["ArrayMinSize", [rules.ArrayMinSize(1)]],
  ["ArrayMaxSize", [rules.ArrayMaxSize(1)]],
  ["ArrayNotEmpty", [rules.ArrayNotEmpty()]],
  ["ArrayContains", [rules.ArrayContains(["a"])]],
  ["ArrayContains of two", [rules.ArrayContains(["a", 1])]],
  ["ArrayNotContains", [rules.ArrayNotContains(["a", 1])]],
  ["IsInt and Min", [rules.IsInt(), rules.Min(1)]],
  ["Min and IsInt", [rules.Min(1), rules.IsInt()]],
  ["items: IsArray, IsInt, Max", [rules.IsArray(), rules.IsInt({ each: true }), rules.Max(1, { each: true })]],
  ["items: IsArray, IsString, ArrayNotContains", [rules.IsArray(), rules.IsString({ each: true }), rules.ArrayNotContains(["a"])]],
  ["items: IsArray, IsString, ArrayUnique", [rules.IsArray(), rules.IsString({ each: true }), rules.ArrayUnique()]],
];

/** The schema takes what the rule takes, and more. */
const wider: readonly Case[] = [
  ["IsDefined", [rules.IsDefined()]],
  ["IsNotEmpty", [rules.IsNotEmpty()]],
  ["IsNotEmptyObject without null members", [rules.IsNotEmptyObject({ nullable: false })]],
  ["IsNumber with decimal places", [rules.IsNumber({ maxDecimalPlaces: 2 })]],
  ["IsDivisibleBy", [rules.IsDivisibleBy(3)]],
  ["IsDivisibleBy of a fraction", [rules.IsDivisibleBy(0.5)]],
  ["Equals of an object", [rules.Equals({ a: 1 })]],
  ["Matches regardless of case", [rules.Matches(/^A/i)]],
  ["Matches with a flag given as text", [rules.Matches("^A" as never, "i")]],
  ["Matches that Unicode patterns refuse", [rules.Matches(/^[\w-.]+$/)]],
  ["Matches from any line", [rules.Matches(/^y$/m)]],
  ["Contains nothing", [rules.Contains("")]],
  ["IsAlpha of another language", [rules.IsAlpha("de-DE")]],
  ["IsEmail", [rules.IsEmail()]],
  ["IsEmail with options", [rules.IsEmail({ allow_display_name: true })]],
  ["IsIP", [rules.IsIP()]],
  ["IsIP of version 6", [rules.IsIP("6")]],
  ["IsUUID", [rules.IsUUID()]],
  ["IsUUID of several versions", [rules.IsUUID(["1", "4"] as never)]],
  ["IsUrl", [rules.IsUrl()]],
  ["IsDateString", [rules.IsDateString()]],
  ["IsISO8601", [rules.IsISO8601()]],
  ["IsLatitude", [rules.IsLatitude()]],
  ["IsPhoneNumber", [rules.IsPhoneNumber()]],
  ["IsJSON", [rules.IsJSON()]],
  ["IsInstance", [rules.IsInstance(Date)]],
  ["MinDate", [rules.MinDate(new Date(0))]],
];

const needArguments = new Set([
  "IsEnum",
  "IsIn",
  "IsNotIn",
  "IsIdentityCard",
  "IsPassportNumber",
  "IsPostalCode",
  "IsInstance",
  "IsDivisibleBy",
]);

/** Every rule in class-validator's own exports that needs no arguments. */
const withoutArguments = Object.entries(rules).filter(
  (entry): entry is [string, () => PropertyDecorator] =>
    /^Is[A-Z]/.test(entry[0]) && !needArguments.has(entry[0]) && entry[0] !== "IsOptional",
);

const everyProbe = { numRuns: probes.length + 100, examples: probes.map((probe): [unknown] => [probe]) };

describe("the schema of a rule takes exactly what class-validator takes", () => {
  it.each(exact)("%s", (_name, decorators) => {
    const subject = subjectOf(decorators);
    const agree = (value: unknown): boolean => {
      const { schema, classValidator, ours } = verdicts(subject, value);
      return schema === classValidator && ours === classValidator;
    };
    fc.assert(fc.property(anyValue, agree), everyProbe);
  });
});

describe("the schema never refuses what class-validator takes, and the rule settles the rest", () => {
  it.each(wider)("%s", (_name, decorators) => {
    const subject = subjectOf(decorators);
    const agree = (value: unknown): boolean => {
      const { schema, classValidator, ours } = verdicts(subject, value);
      return ours === classValidator && (schema || !classValidator);
    };
    fc.assert(fc.property(anyValue, agree), everyProbe);
  });

  it.each(withoutArguments)("%s() of class-validator's own list", (_name, decorator) => {
    const subject = subjectOf([decorator()]);
    for (const probe of probes) {
      const { schema, classValidator, ours } = verdicts(subject, probe);
      expect({ probe, ours }).toEqual({ probe, ours: classValidator });
      if (classValidator) expect({ probe, schema }).toEqual({ probe, schema: true });
    }
  });

  it("save for the reversed names of a numeric enum, which TypeScript's type refuses too", () => {
    expect(verdicts(subjectOf([rules.IsEnum(Level)]), "Low")).toEqual({ schema: false, classValidator: true, ours: true });
  });

  it("save for lists of equal objects, which class-validator finds unique, if no rule says that they are objects", () => {
    expect(verdicts(subjectOf([rules.ArrayUnique()]), [{ a: 1 }, { a: 1 }])).toEqual({ schema: false, classValidator: true, ours: true });
    expect(verdicts(subjectOf([rules.ArrayUnique(), rules.IsObject({ each: true })]), [{}, {}])).toMatchObject({ schema: true });
  });
});
