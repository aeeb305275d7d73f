import { isSecretName, hideSecrets } from "../redaction/index.js";
import type { JsonSchema } from "../schema/index.js";
import { type DeclaredValue, declaredValue } from "../schema/internal.js";
import { redacted } from "../redaction/internal.js";

/** Arguments as a person who approves a call sees them. */
export interface ApprovalInput {
  /** As they will be used, except for what is hidden: `[redacted]` stands in its place. */
  readonly input: Record<string, unknown>;
  /** The paths of values that are hidden in part or whole: `items[0].password`. */
  readonly hidden: readonly string[];
}

/** The path of a member or an item. No two places have the same, whatever names a model makes up. */
export function memberPathOf(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/**
 * The arguments that a person approves. Only two things are hidden, because what is hidden can't be judged: values that
 * `addSecret` registered, and texts whose secret name (`password: string`) the tool's own schema declares. The model chooses
 * the names inside free objects and texts, so that these hide nothing. Expects JSON; copies.
 */
export function approvalInput(schema: JsonSchema, input: Readonly<Record<string, unknown>>): ApprovalInput {
  const hidden: string[] = [];
  const shown = shownValue(input, declaredValue(schema, input), "", hidden);
  // An object stays an object.
  return { input: shown as Record<string, unknown>, hidden };
}

function shownValue(value: unknown, declared: DeclaredValue, path: string, hidden: string[]): unknown {
  if (typeof value === "string") {
    const shown = hideSecrets(value);
    if (shown !== value) hidden.push(path);
    return shown;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((item, index) => shownValue(item, declared.inside(index), memberPathOf(path, index), hidden));
  }
  const members = value as Readonly<Record<string, unknown>>;
  const copy: Record<string, unknown> = {};
  for (const key of inDeclaredOrder(members, declared)) {
    const member = members[key];
    const name = unusedName(hideSecrets(key), copy);
    const place = memberPathOf(path, name);
    if (name !== key) hidden.push(place);
    const own = declared.member(key);
    const isSecret = typeof member === "string" && member !== "" && own?.isText === true && isSecretName(key);
    if (isSecret) hidden.push(place);
    copy[name] = isSecret ? redacted : shownValue(member, own ?? declared.inside(key), place, hidden);
  }
  return copy;
}

/** What the author declared comes first, so that names which the model made up can't stand before it. */
const inDeclaredOrder = (members: Readonly<Record<string, unknown>>, declared: DeclaredValue): Iterable<string> =>
  new Set([...[...declared.names()].filter((name) => Object.hasOwn(members, name)), ...Object.keys(members)]);

/** Two names that hold a secret may read alike; neither may replace the other. */
const unusedName = (name: string, members: object): string => (Object.hasOwn(members, name) ? unusedName(`${name}'`, members) : name);
