import { constraintOf } from "../../schema/internal.js";
import type { PropertyRules } from "./class-validator.js";

/**
 * Whether a field with `@Type(() => Line)` holds a list of lines: the decorator is the same for both. Undefined if neither the emitted
 * type nor the rules or options beside it say so. `emitted`: undefined if the compiler emits none; `Object` stands for any union.
 */
export function holdsList(
  emitted: unknown,
  rules: PropertyRules | undefined,
  options: Readonly<Record<string, unknown>> = {},
): boolean | undefined {
  if (emitted === Array || rules?.each === true || rules?.type === "array") return true;
  if (emitted !== undefined && emitted !== Object) return false;
  if (rules !== undefined && (rules.nested || rules.type !== undefined || Object.keys(rules.schema).length > 0)) return false;
  if (options.default !== undefined) return Array.isArray(options.default);
  const constrained = Object.keys(options).flatMap((keyword) => constraintOf.get(keyword)?.constrains ?? []);
  return constrained.length === 0 ? undefined : constrained.includes("array");
}

/** What an error says of a field that `holdsList` knows nothing of. */
export const oneOrList = (type: unknown): string =>
  `@Type(() => ${typeName(type)}) is the same for one value and for a list, and the compiler emitted no type that says which it is`;

export const typeName = (type: unknown): string => (typeof type === "function" ? type.name : "") || "Item";
