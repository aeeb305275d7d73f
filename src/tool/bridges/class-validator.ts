import type { JsonSchema } from "../../schema/index.js";
import { commonType } from "../definition/enum-values.js";
import { clauseOf } from "./rule-clause.js";
import { acceptsWithout, keywordsOf } from "./rule-keywords.js";
import { ownMessage } from "./run-rules.js";
import { effectiveRules, type RuleMetadata, ruleTypes } from "./rule-storage.js";

export { checkByRules } from "./run-rules.js";
export { withClauses } from "./rule-clause.js";

type RuleType = "string" | "number" | "integer" | "boolean" | "array" | "object";

/** What class-validator's rules say of one property. */
export interface PropertyRules {
  /** False if `@IsOptional` or `@ValidateIf` says so, and if no rule asks for a value (`@Allow`, `@IsEmpty`, `@IsNotIn`). */
  readonly required: boolean;
  /** Null may pass: `@IsOptional` accepts it like absence, `@ValidateIf` may, `@IsIn(["a", null])` names it, or no rule rejects it. */
  readonly nullable: boolean;
  /** All keywords that the rules justify; those of `{ each: true }` under `items`. Never refuses what the rules accept. */
  readonly schema: JsonSchema;
  /** The type that the rules ask for, if they do: `integer` for `@IsInt` beside `@Min` in either order. */
  readonly type?: RuleType;
  /** `@ValidateNested` is there. */
  readonly nested: boolean;
  /** What no keyword can say, for the description: `must be a URL address`. */
  readonly clauses: readonly string[];
  /** The rules with a `message` of the application's own; absent if there are none. */
  readonly withMessage?: readonly RuleMetadata[];
  /** A rule speaks of the items of a list. */
  readonly each: boolean;
}

/**
 * The class-validator rules of a class and its bases by property, the base's first; undefined if it has none.
 * class-validator itself is never loaded: a class has rules only if the application loaded it.
 */
export function rulesOf(constructor: object): ReadonlyMap<string, PropertyRules> | undefined {
  const rules = effectiveRules(constructor);
  return rules && new Map([...rules].map(([property, metadata]) => [property, propertyRules(metadata)]));
}

function propertyRules(all: readonly RuleMetadata[]): PropertyRules {
  const conditions = all.filter((rule) => rule.type === ruleTypes.conditional);
  const rules = all.filter((rule) => rule.type !== ruleTypes.conditional && rule.type !== ruleTypes.allowed);
  const nested = rules.some((rule) => rule.type === ruleTypes.nested);
  const each = rules.some((rule) => rule.each === true);
  // If a condition may switch a rule off, the schema can't express it.
  const always = conditions.every((rule) => rule.name === "isOptional") ? rules.filter((rule) => rule.validateIf === undefined) : [];
  const schema = mergeKeywords(always);
  const type = typeOf(mergeKeywords(rules));
  const withMessage = rules.filter((rule) => rule.message !== undefined);
  const mayBe = (nothing: null | undefined): boolean =>
    conditions.length > 0 || rules.every((rule) => rule.validateIf !== undefined || acceptsWithout(nothing, rule.name, rule.constraints));
  return {
    required: !mayBe(undefined),
    nullable: mayBe(null),
    schema,
    ...(type === undefined ? {} : { type }),
    ...(withMessage.length === 0 ? {} : { withMessage }),
    nested,
    clauses: [...new Set(always.flatMap((rule) => clauseOf(rule) ?? []))].reverse(),
    each,
  };
}

/** What the application's `message` says about a value that breaks a keyword of its rules, or that is missing. */
export const ownMessageOf = ({ withMessage = [] }: PropertyRules, property: string, keyword: string, value: unknown): string | undefined =>
  ownMessage(withMessage, property, value, ({ name, constraints }) => keyword === "required" || keyword in keywordsOf(name, constraints));

function mergeKeywords(rules: readonly RuleMetadata[]): JsonSchema {
  const whole: Record<string, unknown> = {};
  const items: Record<string, unknown> = {};
  const nested = rules.some((rule) => rule.type === ruleTypes.nested);
  if (!nested && rules.some((rule) => rule.each === true)) whole.type = "array";
  for (const rule of rules) {
    const keywords = keywordsOf(rule.name, rule.constraints);
    if (rule.each === true) {
      mergeInto(items, keywords);
    } else {
      const { items: ofItems, ...own } = keywords;
      mergeInto(whole, own);
      mergeInto(items, (ofItems ?? {}) as JsonSchema);
    }
  }
  // Two objects from JSON are never identical, however equal: to class-validator a list of objects is always unique.
  if (nested || items.type === "object" || items.type === "array") delete whole.uniqueItems;
  if (Object.keys(items).length > 0) whole.items = items;
  return whole;
}

/** Adds keywords; one that is there already with another value goes into `allOf`, so that both hold. */
function mergeInto(target: Record<string, unknown>, keywords: JsonSchema): void {
  for (const [keyword, value] of Object.entries(keywords)) {
    const present = target[keyword];
    if (present === undefined || (keyword === "type" && present === "number" && value === "integer")) target[keyword] = value;
    else if (keyword === "allOf") target.allOf = [...(present as readonly unknown[]), ...(value as readonly unknown[])];
    else if (JSON.stringify(present) !== JSON.stringify(value) && !(keyword === "type" && present === "integer" && value === "number")) {
      target.allOf = [...((target.allOf as readonly unknown[] | undefined) ?? []), { [keyword]: value }];
    }
  }
}

function typeOf(schema: JsonSchema): RuleType | undefined {
  const named = schema.const === undefined ? schema.enum : [schema.const];
  const type = schema.type ?? commonType((named ?? []).filter((value) => value !== null));
  return typeof type === "string" && type !== "null" ? type : undefined;
}
