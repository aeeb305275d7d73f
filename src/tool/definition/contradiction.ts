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

/** Whether the options set a lower bound, which an upper one may contradict. */
export const hasLowerBound = (options: Readonly<Record<string, unknown>>): boolean =>
  boundPairs.some(([least]) => options[least] !== undefined);

/** Why no value can fit the schema of a field, as far as types, bounds and listed values show. */
export function contradictionIn(schema: JsonSchema): string | undefined {
  const parts = [schema, ...((schema.allOf ?? []) as readonly JsonSchema[])];
  const types = parts.flatMap(({ type }) => (typeof type === "string" ? [type] : []));
  for (const type of types) {
    const other = types.find((candidate) => !overlap(type, candidate));
    if (other !== undefined) return `one rule asks for ${type}, another for ${other}`;
  }
  for (const [least, most] of boundPairs) {
    const lowest = Math.max(...numbersOf(parts, least));
    const highest = Math.min(...numbersOf(parts, most));
    if (lowest > highest) return `${least} ${lowest} is above ${most} ${highest}`;
  }
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (schema.$ref === undefined && values?.every((value) => !fits(schema, value))) return "no value that it lists fits its other rules";
  return undefined;
}

const numbersOf = (parts: readonly JsonSchema[], keyword: (typeof boundPairs)[number][number]): readonly number[] =>
  parts.flatMap((part) => (typeof part[keyword] === "number" ? [part[keyword]] : []));

const overlap = (first: string, second: string): boolean =>
  first === second || ([first, second].includes("number") && [first, second].includes("integer"));

const fits = (schema: JsonSchema, value: unknown): boolean => compileSchema(schema).validate(value, { owned: false, repair: false }).ok;
