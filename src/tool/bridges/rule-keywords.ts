import type { JsonSchema, JsonValue } from "../../schema/index.js";
import { commonType, enumValues } from "../definition/enum-values.js";

type Keywords = (first: unknown, second: unknown) => JsonSchema;

/**
 * What each of class-validator's rules says in JSON Schema, by the rule's name and its arguments.
 *
 * The schema never rejects a value that the rule accepts. If no keyword means exactly the same, the schema is looser
 * (or absent), and the rule, which always runs, checks the value. `@IsUrl` accepts `x.com`, which `format: "uri"`
 * refuses; `@IsDateString` takes `2024-W01`; `@IsEmail` takes `ünï@example.com`, so its format is `idn-email` (which
 * differs in nothing but domains of emoji and the like).
 */
const keywordsByRule: Readonly<Record<string, Keywords>> = {
  isString: () => ({ type: "string" }),
  isBoolean: () => ({ type: "boolean" }),
  isInt: () => ({ type: "integer" }),
  isNumber: () => ({ type: "number" }),
  isArray: () => ({ type: "array" }),
  isObject: () => ({ type: "object" }),
  isNotEmptyObject: () => ({ type: "object", minProperties: 1 }),

  // Null, which the rule refuses too, is left to the type: "not null" means nothing to most providers.
  isNotEmpty: () => ({ minLength: 1 }),
  isEmpty: () => ({ enum: ["", null] }),
  equals: (value) => (isPrimitive(value) ? { ...typed([value]), const: value } : {}),
  notEquals: (value) => (isPrimitive(value) ? { not: { const: value } } : {}),
  isIn: (values) => oneOf(values),
  isNotIn: (values) => notOneOf(values),
  isEnum: (values) => oneOf(enumValues(Array.isArray(values) ? [...values] : values)),

  min: (limit) => bound("number", "minimum", limit),
  max: (limit) => bound("number", "maximum", limit),
  isPositive: () => ({ type: "number", exclusiveMinimum: 0 }),
  isNegative: () => ({ type: "number", exclusiveMaximum: 0 }),
  isDivisibleBy: (divisor) =>
    Number.isInteger(divisor) && (divisor as number) > 0 ? { type: "number", multipleOf: divisor as number } : { type: "number" },

  minLength: (length) => bound("string", "minLength", length),
  maxLength: (length) => bound("string", "maxLength", length),
  isLength: (minimum, maximum) => ({ ...bound("string", "minLength", minimum), ...bound("string", "maxLength", maximum) }),
  matches: (pattern, flags) => matching(pattern, flags),
  contains: (text) => ({ type: "string", ...(isText(text) ? { pattern: escapePattern(text) } : {}) }),
  notContains: (text) => ({ type: "string", ...(isText(text) ? { not: { type: "string", pattern: escapePattern(text) } } : {}) }),
  isAlpha: (locale) => englishOnly(locale, "^[a-zA-Z]+$"),
  isAlphanumeric: (locale) => englishOnly(locale, "^[0-9a-zA-Z]+$"),
  isAscii: () => ({ type: "string", pattern: "^[\\x00-\\x7F]+$" }),
  isMultibyte: () => ({ type: "string", pattern: "[^\\x00-\\x7F]" }),
  isHexadecimal: () => ({ type: "string", pattern: hexadecimal }),
  isMongoId: () => ({ type: "string", pattern: hexadecimal, minLength: 24, maxLength: 24 }),
  isMilitaryTime: () => ({ type: "string", pattern: "^([01]\\d|2[0-3]):?([0-5]\\d)$" }),
  isEmail: (options) => ({ type: "string", ...(options === undefined ? { format: "idn-email" } : {}) }),
  isIp: (version) => ({ type: "string", ...addressFormat(version) }),
  isUuid: (version) => ({ type: "string", format: "uuid", ...uuidPattern(version) }),

  arrayMinSize: (size) => bound("array", "minItems", size),
  arrayMaxSize: (size) => bound("array", "maxItems", size),
  arrayNotEmpty: () => ({ type: "array", minItems: 1 }),
  arrayUnique: () => ({ type: "array", uniqueItems: true }),
  arrayContains: (values) => {
    const wanted = primitives(values).map((value) => ({ contains: { const: value } }));
    return { type: "array", ...(wanted.length > 1 ? { allOf: wanted } : wanted[0]) };
  },
  arrayNotContains: (values) => {
    const items = notOneOf(values);
    return { type: "array", ...(Object.keys(items).length > 0 ? { items } : {}) };
  },
};

/** Rules that take nothing but strings, and that no keyword can express. */
const stringRules = new Set(
  (
    "IsFirebasePushId isBIC isBase32 isBase58 isBase64 isBooleanString isBtcAddress isByteLength isCreditCard isCurrency isDataURI " +
    "isDateString isDecimal isEAN isEthereumAddress isFqdn isFullWidth isHSL isHalfWidth isHash isHexColor isIBAN isISO31661Alpha2 " +
    "isISO31661Alpha3 isISO31661Numeric isISO4217CurrencyCode isISO6391 isISRC isISSN isIdentityCard isIsbn isIsin isIso8601 isJson " +
    "isJwt isLatLong isLocale isLowercase isMacAddress isMagnetURI isMimeType isMobilePhone isNumberString isOctal isPassportNumber " +
    "isPhoneNumber isPort isPostalCode isRFC3339 isRgbColor isSemVer isStrongPassword isSurrogatePair isTaxId isTimeZone isUppercase " +
    "isUrl isVariableWidth"
  ).split(" "),
);

/** The keywords of one rule; empty for rules that JSON Schema can't express and for the application's own. */
export function keywordsOf(name: string | undefined, constraints: readonly unknown[] = []): JsonSchema {
  if (name === undefined) return {};
  if (Object.hasOwn(keywordsByRule, name)) return keywordsByRule[name]?.(constraints[0], constraints[1]) ?? {};
  return stringRules.has(name) ? { type: "string" } : {};
}

/** The rules that may accept null, or a value that is absent. */
const acceptsNothing: Readonly<Record<string, (argument: unknown, nothing: null | undefined) => boolean>> = {
  isEmpty: () => true,
  equals: (value, nothing) => value === nothing,
  notEquals: (value, nothing) => value !== nothing,
  isIn: (values, nothing) => Array.isArray(values) && values.includes(nothing),
  isNotIn: (values, nothing) => !Array.isArray(values) || !values.includes(nothing),
  isEnum: (values, nothing) => typeof values === "object" && values !== null && Object.values(values).includes(nothing),
};

/** Whether a rule accepts null (or, if `nothing` is undefined, a value that is absent). False for the application's own rules. */
export function acceptsWithout(nothing: null | undefined, name: string | undefined, constraints: readonly unknown[] = []): boolean {
  return name !== undefined && Object.hasOwn(acceptsNothing, name) && acceptsNothing[name]?.(constraints[0], nothing) === true;
}

const hexadecimal = "^(0[xXhH])?[0-9a-fA-F]+$";

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

const isPrimitive = (value: unknown): value is string | number | boolean | null =>
  value === null || typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));

/** class-validator compares by identity, so that no object that came as JSON ever equals one of the list. */
const primitives = (values: unknown): readonly JsonValue[] => (Array.isArray(values) ? values.filter(isPrimitive) : []);

function oneOf(values: unknown): JsonSchema {
  const allowed = [...new Set(primitives(values))];
  return allowed.length > 0 ? { ...typed(allowed), enum: allowed } : {};
}

/** Providers want a type beside the values, if they have one; null is added later, if it is allowed. */
function typed(values: readonly JsonValue[]): JsonSchema {
  const type = commonType(values);
  return type === undefined || type === "null" ? {} : { type };
}

function notOneOf(values: unknown): JsonSchema {
  const refused = [...new Set(primitives(values))];
  return refused.length > 0 ? { not: { enum: refused } } : {};
}

const bound = (type: "string" | "number" | "array", keyword: string, limit: unknown): JsonSchema =>
  typeof limit === "number" && Number.isFinite(limit) && (type === "number" || Number.isInteger(limit))
    ? { type, [keyword]: type === "number" ? limit : Math.max(0, limit) }
    : { type };

/** JSON Schema patterns have no flags; of JavaScript's, only these change nothing of what matches. */
function matching(pattern: unknown, flags: unknown): JsonSchema {
  const expression = pattern instanceof RegExp ? pattern : toExpression(pattern, flags);
  if (expression === undefined || !/^[dgu]*$/.test(expression.flags)) return { type: "string" };
  // Patterns of a schema are read as Unicode patterns, in which for instance [\w-.] is an error.
  const portable = toExpression(expression.source, "u") !== undefined;
  return { type: "string", ...(portable ? { pattern: expression.source } : {}) };
}

function toExpression(source: unknown, flags: unknown): RegExp | undefined {
  try {
    return new RegExp(source as string, flags as string | undefined);
  } catch {
    return undefined;
  }
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

const englishOnly = (locale: unknown, pattern: string): JsonSchema => ({
  type: "string",
  ...(locale === undefined || locale === "en-US" ? { pattern } : {}),
});

/** `fe80::1%eth0`, with its zone, is an address to class-validator, but not to the format. */
const ipv6 = [{ format: "ipv6" }, { pattern: "%" }];

function addressFormat(version: unknown): JsonSchema {
  if (String(version) === "4") return { format: "ipv4" };
  if (String(version) === "6") return { anyOf: ipv6 };
  return version === undefined ? { anyOf: [{ format: "ipv4" }, ...ipv6] } : {};
}

function uuidPattern(version: unknown): JsonSchema {
  const digit = String(version);
  return /^[1-8]$/.test(digit)
    ? { pattern: `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-${digit}[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$` }
    : {};
}
