import * as rules from "class-validator";

enum Size {
  Small = "small",
  Huge = "2xl",
}

type Options = rules.ValidationOptions;
export type Rule = (options?: Options) => PropertyDecorator;

/** Arguments for the rules of class-validator that need some, or that say more with some. */
const withArguments: Readonly<Record<string, Rule>> = {
  Equals: (options) => rules.Equals("a", options),
  NotEquals: (options) => rules.NotEquals("a", options),
  IsIn: (options) => rules.IsIn(["a", 1, null], options),
  IsNotIn: (options) => rules.IsNotIn(["a", 1, null], options),
  IsDivisibleBy: (options) => rules.IsDivisibleBy(3, options),
  Min: (options) => rules.Min(1, options),
  Max: (options) => rules.Max(2, options),
  MinDate: (options) => rules.MinDate(new Date("2024-06-01"), options),
  MaxDate: (options) => rules.MaxDate(new Date("2024-06-01"), options),
  Contains: (options) => rules.Contains("a", options),
  NotContains: (options) => rules.NotContains("a", options),
  IsByteLength: (options) => rules.IsByteLength(2, 6, options),
  Length: (options) => rules.Length(2, 6, options),
  MinLength: (options) => rules.MinLength(2, options),
  MaxLength: (options) => rules.MaxLength(6, options),
  Matches: (options) => rules.Matches(/^[a-z0-9]+$/, options),
  IsHash: (options) => rules.IsHash("md5", options),
  IsEnum: (options) => rules.IsEnum(Size, options),
  IsIdentityCard: (options) => rules.IsIdentityCard("ES", options),
  IsPassportNumber: (options) => rules.IsPassportNumber("US", options),
  IsPostalCode: (options) => rules.IsPostalCode("US", options),
  IsTaxId: (options) => rules.IsTaxId("en-US", options),
  IsMobilePhone: (options) => rules.IsMobilePhone("de-DE", undefined, options),
  IsPhoneNumber: (options) => rules.IsPhoneNumber("US", options),
  IsInstance: (options) => rules.IsInstance(Date, options),
  ArrayContains: (options) => rules.ArrayContains(["a"], options),
  ArrayNotContains: (options) => rules.ArrayNotContains(["a"], options),
  ArrayMinSize: (options) => rules.ArrayMinSize(2, options),
  ArrayMaxSize: (options) => rules.ArrayMaxSize(1, options),
  ArrayUnique: (options) => rules.ArrayUnique(options),
  IsAlpha: (options) => rules.IsAlpha("en-US", options),
  IsAlphanumeric: (options) => rules.IsAlphanumeric("en-US", options),
  IsIP: (options) => rules.IsIP("4", options),
  IsUUID: (options) => rules.IsUUID("4", options),
  IsISBN: (options) => rules.IsISBN("13", options),
  IsRgbColor: (options) => rules.IsRgbColor(true, options),
};

/** Exports that are no rules, or that say when and how rules hold. */
const others = /^(Validat|MetadataStorage)|^IsOptional$/;

/** Rules whose options come after the options of validator.js, which stay as they are. */
const optionsSecond = new Set([
  "IsBase64",
  "IsCurrency",
  "IsDateString",
  "IsDecimal",
  "IsEmail",
  "IsFQDN",
  "IsIBAN",
  "IsISO8601",
  "IsISSN",
  "IsMACAddress",
  "IsNotEmptyObject",
  "IsNumber",
  "IsNumberString",
  "IsStrongPassword",
  "IsUrl",
]);

/** Every rule that class-validator exports, by its name. */
export const everyRule: ReadonlyMap<string, Rule> = new Map(
  Object.entries(rules)
    .filter(([name, exported]) => typeof exported === "function" && /^[A-Z]/.test(name) && !others.test(name))
    .map(([name, exported]) => {
      const decorator = exported as (...given: unknown[]) => PropertyDecorator;
      const plain: Rule = (options) =>
        optionsSecond.has(name)
          ? decorator(...(options === undefined ? [] : [undefined, options]))
          : decorator(...(options === undefined ? [] : [options]));
      return [name, withArguments[name] ?? plain];
    }),
);

/** Stands for a call without the value. */
export const absent = Symbol("absent");

/** JSON values of every kind. Each rule accepts one of them at least, save those for instances, which JSON doesn't have. */
export const everyValue: readonly unknown[] = [
  ...[absent, null, true, 0, 1, 3, -1, 1.5, 19.99, 1e-7, 1e21, 181],
  ...["", " ", "a", "A", "ab", "abcdefg", "aXc", "é", "日本", "ａ", "ｶa", "😀", "x\ny"],
  ...["0", "-1", "12", "1.5", "1e3", "true", "0xff", "08", "small", "Small", "2xl", '{"a":1}'],
  ...["2024-01-01", "2024-12-31", "2024-01-01T00:00:00Z", "2024-W01", "2024-02-30", "23:59", "Europe/Berlin"],
  ...["a@b.co", "ünï@example.com", "x.com", "https://x.com/a?b#c", "magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a"],
  ...["1.2.3.4", "fe80::1%eth0", "8080", "00:1b:44:11:3a:b7", "40.7,-74.0", "text/plain"],
  ...["123e4567-e89b-42d3-a456-426614174000", "507f1f77bcf86cd799439011", "#fff", "rgb(1,2,3)", "hsl(1,2%,3%)", "1.2.3"],
  ...["DE", "DEU", "276", "EUR", "de_DE", "DEUTDEFF", "DE89370400440532013000", "9783161484100", "US0378331005", "0378-5955"],
  ...["4111111111111111", "4006381333931", "USRC17607839", "001-01-0001", "YQ==", "MFRGG===", "data:text/plain,hi"],
  ...["d41d8cd98f00b204e9800998ecf8427e", "-JhLeOlGIEjaIOFHR0xd", "eyJhbGciOiJIUzI1NiJ9.e30.c2ln", "Passw0rd!x", "+12125550123"],
  ...[
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "1BoatSLRHtKNngkdXEeobR76b53LETtpyT",
    "015123456789",
    "12345678Z",
    "12345",
    "123456789",
  ],
  ...[{}, { a: 1 }, { a: null }, [], [1], [1, 3], [1, 1], ["a"], ["a", "b"], ["a", "a"], ["ab", "cd"], [1, "a"], [null], [[1], [1]]],
  ...[[{}], [{ a: 1 }, { a: 1 }], ["2024-01-01"]],
];
