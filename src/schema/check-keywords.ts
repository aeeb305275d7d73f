import type { Refuse } from "./copy-schema.js";
import {
  type ConstraintValue,
  constraintOf,
  isSchema,
  jsonTypes,
  type SchemaNode,
  type SubschemaKind,
  subschemaKeywords,
} from "./keywords.js";
import { isRecord } from "./type-guards.js";
import type { Place } from "./place.js";
import { PatternError, safePattern } from "./pattern/pattern.js";

const types: readonly string[] = jsonTypes;

/** What authors write in other languages, and what JSON Schema calls it. */
const foreignTypes: Readonly<Record<string, string>> = {
  any: "nothing: leave type out",
  bool: '"boolean"',
  date: '"string" with format "date"',
  datetime: '"string" with format "date-time"',
  dict: '"object"',
  double: '"number"',
  file: '"string"',
  float: '"number"',
  hashmap: '"object"',
  int: '"integer"',
  list: '"array"',
  long: '"integer"',
  map: '"object"',
  none: '"null"',
  str: '"string"',
  tuple: '"array"',
};

const isCount = (value: unknown): boolean => typeof value === "number" && Number.isInteger(value) && value >= 0;
const isText = (value: unknown): boolean => typeof value === "string";
const isNames = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isMapOf =
  (fits: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    isRecord(value) && Object.values(value).every(fits);

type Rule = readonly [fits: (value: unknown) => boolean, expected: string];

const subschemaRules: Readonly<Record<SubschemaKind, Rule>> = {
  one: [isSchema, "must be a schema: an object, true or false"],
  list: [(value) => Array.isArray(value) && value.length > 0 && value.every(isSchema), "must be a list of one or more schemas"],
  oneOrList: [(value) => isSchema(value) || (Array.isArray(value) && value.every(isSchema)), "must be a schema or a list of schemas"],
  map: [isMapOf(isSchema), "must be an object whose values are schemas"],
  mapOrNames: [isMapOf((value) => isSchema(value) || isNames(value)), "must be an object whose values are schemas or lists of names"],
};

const text: Rule = [isText, "must be a string"];

const constraintRules: Readonly<Partial<Record<ConstraintValue, Rule>>> = {
  number: [(value) => typeof value === "number", "must be a number"],
  positiveNumber: [(value) => typeof value === "number" && value > 0, "must be a number above 0"],
  count: [isCount, "must be a whole number, 0 or more"],
  text,
  flag: [(value) => typeof value === "boolean", "must be true or false"],
  names: [isNames, 'must be a list of property names, beside "properties": "required": ["city"]'],
  namesByProperty: [isMapOf(isNames), "must be an object whose values are lists of property names"],
};

/** Keywords that neither constrain values of one type nor hold subschemas. */
const otherRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["enum", [Array.isArray, "must be a list of values"]],
  ["$ref", text],
  ["$dynamicRef", text],
  ["$id", text],
  ["$anchor", text],
  ["$dynamicAnchor", text],
]);

/** What the value of a keyword must be; `undefined` if it may be anything. */
function ruleFor(keyword: string): Rule | undefined {
  const subschemas = subschemaKeywords.get(keyword);
  if (subschemas !== undefined) return subschemaRules[subschemas];
  const constraint = constraintOf.get(keyword);
  return constraint === undefined ? otherRules.get(keyword) : constraintRules[constraint.takes];
}

/** Refuses keywords of one schema object whose values an engine would misread in silence. It doesn't check subschemas. */
export function checkKeywords(schema: SchemaNode, place: Place | undefined, refuse: Refuse): void {
  for (const key of Object.keys(schema)) {
    const value = schema[key];
    const rule = ruleFor(key);
    if (rule !== undefined && !rule[0](value)) refuse({ parent: place, key }, `is ${show(value)}, but ${key} ${rule[1]}.`);
  }
  if (schema.type !== undefined) checkType(schema.type, { parent: place, key: "type" }, refuse);
  if (typeof schema.pattern === "string") checkPattern(schema.pattern, { parent: place, key: "pattern" }, refuse);
  if (isRecord(schema.patternProperties)) {
    for (const source of Object.keys(schema.patternProperties))
      checkNamePattern(source, { parent: place, key: "patternProperties" }, refuse);
  }
}

function checkType(type: unknown, place: Place | undefined, refuse: Refuse): void {
  const names: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (names.length === 0) refuse(place, "is an empty list. Leave type out to allow any type.");
  for (const name of names) {
    if (typeof name === "string" && types.includes(name)) continue;
    const meant = typeof name === "string" ? foreignTypes[name.toLowerCase()] : undefined;
    const near = typeof name === "string" && types.includes(name.toLowerCase()) ? `"${name.toLowerCase()}"` : meant;
    refuse(place, `is ${show(name)}, which isn't a type of JSON Schema. Write ${near ?? `one of: ${types.join(", ")}`}.`);
  }
}

function checkPattern(source: string, place: Place | undefined, refuse: Refuse): void {
  try {
    safePattern(source);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    refuse(place, `is ${show(source)}, which ${error.message}. Write a regular expression without back references.`);
  }
}

/** Property names are tested by the platform's engine, so their patterns must be harmless there. */
function checkNamePattern(source: string, place: Place | undefined, refuse: Refuse): void {
  checkPattern(source, place, refuse);
  try {
    new RegExp(source, "u");
  } catch (error) {
    refuse(place, `has the name ${show(source)}, which is illegal under Unicode rules (${(error as Error).message}).`);
  }
  if (!safePattern(source).quadratic) {
    refuse(place, `has the name ${show(source)}, which can take too long to match. Begin it with ^ and use one repetition only.`);
  }
}

function show(value: unknown): string {
  const shown = JSON.stringify(value);
  return shown.length > 60 ? `${shown.slice(0, 60)}...` : shown;
}
