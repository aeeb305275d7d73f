import { keywordsOf } from "./rule-keywords.js";
import { defaultMessageOf, type RuleMetadata } from "./rule-storage.js";

/** Rules that the type, `required` and instances say wholly. */
const saidByType = new Set([
  "isString",
  "isBoolean",
  "isInt",
  "isArray",
  "isObject",
  "isDefined",
  "isDate",
  "isInstance",
  "nestedValidation",
]);

/** For rules whose own message isn't a clause, or says less than their arguments do. */
const ownClauses: Readonly<Record<string, (argument: unknown, second: unknown) => string | undefined>> = {
  isNumber: (options) => {
    const places = (options as { readonly maxDecimalPlaces?: number } | undefined)?.maxDecimalPlaces;
    return places === undefined ? undefined : `must have at most ${places} decimal places`;
  },
  minDate: (date) => (date instanceof Date ? `must not be before ${date.toISOString()}` : undefined),
  maxDate: (date) => (date instanceof Date ? `must not be after ${date.toISOString()}` : undefined),
  isByteLength: (least, most) => `must have ${String(least)} to ${String(most ?? "any number of")} bytes`,
  isDecimal: () => "must be a decimal number as text",
  isStrongPassword: () => "must be a strong password",
};

/**
 * What the schema can't say about a rule, as the end of a sentence: `must be a URL address`. Undefined if keywords say it, if the rule
 * may not hold, and if its message is about a value that failed, such as "is taken".
 */
export function clauseOf(rule: RuleMetadata): string | undefined {
  const { name, constraints = [] } = rule;
  if (name !== undefined && (saidByType.has(name) || Object.keys(keywordsOf(name, constraints)).some((keyword) => keyword !== "type"))) {
    return undefined;
  }
  if (name !== undefined && Object.hasOwn(ownClauses, name)) {
    const clause = ownClauses[name]?.(constraints[0], constraints[1]);
    return clause !== undefined && rule.each === true ? `each item ${clause}` : clause;
  }
  const message = defaultMessageOf(rule) ?? "";
  const clause = /^(each value in )?\$property (must .+)$/.exec(message);
  if (clause === null) return undefined;
  const [, each, text = ""] = clause;
  const filled = text.replace(/\$constraint(\d+)/g, (_token, number: string) => String(constraints[Number(number) - 1]));
  return /\$(value|target|property)/.test(filled) ? undefined : `${each === undefined ? "" : "each item "}${filled}`;
}

/** A description with the clauses after it: `The link. Must be a URL address.` */
export function withClauses(description: string | undefined, clauses: readonly string[]): string | undefined {
  if (clauses.length === 0) return description;
  const sentence = clauses.join(" and ");
  const own = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
  if (description === undefined || description.trim() === "") return own;
  const ended = /[.!?]$/.test(description.trim()) ? description.trim() : `${description.trim()}.`;
  return `${ended} ${own}`;
}
