import type { JsonSchema } from "../../schema/index.js";
import { boundPairs, compileSchema } from "../../schema/internal.js";

/** Why no value can have the declared type and fulfil the rules too; undefined if a value may. */
export function typeContradiction(declared: JsonSchema, isDate: boolean, rules: JsonSchema): string | undefined {
  if (isDate) {
    const isOther = rules.type !== undefined && rules.type !== "object";
    return isOther ? `it arrives as a Date, and the rules ask for ${String(rules.type)}` : undefined;
  }
  if (typeof declared.type === "string" && typeof rules.type === "string" && !overlap(declared.type, rules.type)) {
    return `the type is ${declared.type}, and the rules ask for ${rules.type}`;
  }
  const values = declared.enum;
  const { items: _items, ...own } = rules;
  if (values?.every((value) => !fits(own, value))) return "no value of its enum fulfils the rules";
  return undefined;
}

/** The keywords of lower bounds, which an upper one or the values that a schema lists may contradict. */
export const lowerBounds: ReadonlySet<string> = new Set(boundPairs.map(([least]) => least));

/** Why no value can fit the schema of a field, as far as types, bounds and listed values show. */
export function contradictionIn(schema: JsonSchema): string | undefined {
  const { allOf } = schema;
  const parts = allOf === undefined ? [schema] : [schema, ...(allOf as readonly JsonSchema[])];
  return differentTypes(parts) ?? crossedBounds(parts) ?? unfitValues(schema);
}

function differentTypes(parts: readonly JsonSchema[]): string | undefined {
  if (parts.length === 1) return undefined;
  const types = parts.flatMap(({ type }) => (typeof type === "string" ? [type] : []));
  for (const type of types) {
    const other = types.find((candidate) => !overlap(type, candidate));
    if (other !== undefined) return `one rule asks for ${type}, another for ${other}`;
  }
  return undefined;
}

function crossedBounds(parts: readonly JsonSchema[]): string | undefined {
  for (const [least, most] of boundPairs) {
    const lowest = tightest(parts, least, Math.max);
    const highest = lowest === undefined ? undefined : tightest(parts, most, Math.min);
    if (lowest !== undefined && highest !== undefined && lowest > highest) return `${least} ${lowest} is above ${most} ${highest}`;
  }
  return undefined;
}

/** The bound that holds if all parts do; undefined if none sets it. */
function tightest(
  parts: readonly JsonSchema[],
  keyword: (typeof boundPairs)[number][number],
  tighter: (first: number, second: number) => number,
): number | undefined {
  let bound: number | undefined;
  for (const { [keyword]: value } of parts) if (typeof value === "number") bound = bound === undefined ? value : tighter(bound, value);
  return bound;
}

function unfitValues(schema: JsonSchema): string | undefined {
  const values = schema.const === undefined ? schema.enum : [schema.const];
  const isUnfit = schema.$ref === undefined && values?.every((value) => !fits(schema, value)) === true;
  return isUnfit ? "no value that it lists fits its other rules" : undefined;
}

const overlap = (first: string, second: string): boolean =>
  first === second || ([first, second].includes("number") && [first, second].includes("integer"));

const fits = (schema: JsonSchema, value: unknown): boolean => compileSchema(schema).validate(value, { owned: false, repair: false }).ok;
