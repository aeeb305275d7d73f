import type { JsonType } from "./json-schema.js";
import type { Place } from "./place.js";
import { isRecord } from "./type-guards.js";

/** How a keyword holds its subschemas: as its value, in a list, in a map by name, or in a map that may also hold lists of names. */
export type SubschemaKind = "one" | "list" | "oneOrList" | "map" | "mapOrNames";

/** Every keyword of draft-07 and 2020-12 that holds subschemas. All other keywords hold data. */
export const subschemaKeywords: ReadonlyMap<string, SubschemaKind> = new Map([
  ["additionalItems", "one"],
  ["additionalProperties", "one"],
  ["contains", "one"],
  ["contentSchema", "one"],
  ["else", "one"],
  ["if", "one"],
  ["not", "one"],
  ["propertyNames", "one"],
  ["then", "one"],
  ["unevaluatedItems", "one"],
  ["unevaluatedProperties", "one"],
  ["allOf", "list"],
  ["anyOf", "list"],
  ["oneOf", "list"],
  ["prefixItems", "list"],
  ["items", "oneOrList"],
  ["$defs", "map"],
  ["definitions", "map"],
  ["dependentSchemas", "map"],
  ["patternProperties", "map"],
  ["properties", "map"],
  ["dependencies", "mapOrNames"],
]);

/** The keywords whose subschemas apply to the same value as the schema that holds them. */
export const inPlaceKeywords: readonly string[] = [
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "dependencies",
];

export const jsonTypes = ["string", "number", "integer", "boolean", "object", "array", "null"] as const satisfies readonly JsonType[];

/**
 * The keywords that constrain values of one type: the type, and what the keyword takes. A keyword says nothing about values of
 * other types. Integers are numbers.
 */
export const constraintKeywords = {
  minimum: { constrains: "number", takes: "number" },
  maximum: { constrains: "number", takes: "number" },
  exclusiveMinimum: { constrains: "number", takes: "number" },
  exclusiveMaximum: { constrains: "number", takes: "number" },
  multipleOf: { constrains: "number", takes: "positiveNumber" },

  minLength: { constrains: "string", takes: "count" },
  maxLength: { constrains: "string", takes: "count" },
  pattern: { constrains: "string", takes: "text" },
  format: { constrains: "string", takes: "text" },
  contentEncoding: { constrains: "string", takes: "anything" },
  contentMediaType: { constrains: "string", takes: "anything" },
  contentSchema: { constrains: "string", takes: "subschemas" },

  minItems: { constrains: "array", takes: "count" },
  maxItems: { constrains: "array", takes: "count" },
  uniqueItems: { constrains: "array", takes: "flag" },
  items: { constrains: "array", takes: "subschemas" },
  prefixItems: { constrains: "array", takes: "subschemas" },
  additionalItems: { constrains: "array", takes: "subschemas" },
  unevaluatedItems: { constrains: "array", takes: "subschemas" },
  contains: { constrains: "array", takes: "subschemas" },
  minContains: { constrains: "array", takes: "count" },
  maxContains: { constrains: "array", takes: "count" },

  minProperties: { constrains: "object", takes: "count" },
  maxProperties: { constrains: "object", takes: "count" },
  required: { constrains: "object", takes: "names" },
  properties: { constrains: "object", takes: "subschemas" },
  patternProperties: { constrains: "object", takes: "subschemas" },
  additionalProperties: { constrains: "object", takes: "subschemas" },
  unevaluatedProperties: { constrains: "object", takes: "subschemas" },
  propertyNames: { constrains: "object", takes: "subschemas" },
  dependentRequired: { constrains: "object", takes: "namesByProperty" },
  dependentSchemas: { constrains: "object", takes: "subschemas" },
  dependencies: { constrains: "object", takes: "subschemas" },
} as const satisfies Readonly<Record<string, Constraint>>;

export interface Constraint {
  readonly constrains: ConstrainedType;
  readonly takes: ConstraintValue;
}

/** The JSON types that have constraint keywords of their own. */
export type ConstrainedType = "number" | "string" | "array" | "object";

export type ConstraintValue =
  | "number"
  | "positiveNumber"
  | "count"
  | "text"
  | "flag"
  | "names"
  | "namesByProperty"
  | "subschemas"
  | "anything";

export type ConstraintKeyword = keyof typeof constraintKeywords;

/** The keywords that constrain values of a type. */
export type KeywordOf<Type extends ConstrainedType> = {
  [Keyword in ConstraintKeyword]: (typeof constraintKeywords)[Keyword]["constrains"] extends Type ? Keyword : never;
}[ConstraintKeyword];

/** The table above by name, for keywords that a schema holds. */
export const constraintOf: ReadonlyMap<string, Constraint> = new Map<string, Constraint>(Object.entries(constraintKeywords));

export const keywordsOf = (type: ConstrainedType): readonly string[] =>
  [...constraintOf].flatMap(([keyword, { constrains }]) => (constrains === type ? [keyword] : []));

/** The lower bounds of a schema, each with the upper bound that must not be below it. */
export const boundPairs = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
] as const satisfies readonly (readonly [ConstraintKeyword, ConstraintKeyword])[];

/** Each exclusive bound beside the inclusive one. In draft-4 and OpenAPI 3.0 it is a boolean that makes the inclusive one exclusive. */
export const exclusiveBounds = [
  ["exclusiveMinimum", "minimum"],
  ["exclusiveMaximum", "maximum"],
] as const satisfies readonly (readonly [ConstraintKeyword, ConstraintKeyword])[];

/** Keywords that no validator checks. */
export const annotationKeywords = [
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "$comment",
] as const;

/** A schema object as the code walks it: it may have any keyword with any value. */
export type SchemaNode = Readonly<Record<string, unknown>>;

export const isSchema = (value: unknown): value is SchemaNode | boolean => typeof value === "boolean" || isRecord(value);

/** Own and not `undefined`: what JSON would keep. */
export const hasValue = (object: Record<string, unknown>, key: string): boolean => Object.hasOwn(object, key) && object[key] !== undefined;

/** Calls back for every subschema of a keyword, with its place. */
export function eachSubschema(kind: SubschemaKind, value: unknown, place: Place, visit: (subschema: unknown, place: Place) => void): void {
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) visit(inner, { parent: place, key: index });
  } else if (kind === "map" || kind === "mapOrNames") {
    for (const [name, inner] of Object.entries(value as object)) if (!Array.isArray(inner)) visit(inner, { parent: place, key: name });
  } else visit(value, place);
}
