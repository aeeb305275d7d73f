import { ToolDefinitionError } from "../tool-errors.js";
import { longestTimer } from "../cancellation.js";
import { isOptions } from "../option-names.js";
import type { ToolDefinition, ToolAccess } from "../tool-definition.js";
import { readIsolation } from "./isolation.js";
import { insteadOfName } from "../unknown-name.js";
import { readConcurrency, readRateLimit } from "./limits.js";

/** What `@tool`, the single class decorators and `createTool` may say besides name, description and schemas. */
export type ToolPolicy = Pick<
  ToolDefinition,
  | "timeout"
  | "category"
  | "consequenceLevel"
  | "requiresConfirmation"
  | "effect"
  | "retryable"
  | "exclusive"
  | "concurrency"
  | "rateLimit"
  | "tags"
  | "version"
  | "dependsOn"
  | "access"
  | "deferred"
  | "isolated"
>;

/** Milliseconds. */
export const defaultTimeout = 10_000;

/** Reads a part as an author wrote it; `undefined` if the policy has no such member then. Throws `ToolDefinitionError`. */
type Reader<Value> = (value: unknown, owner: string) => Value | undefined;

const readDeferred: Reader<boolean> = ofKind("deferred", ["boolean"]);

/** How each part of the policy is read; the type makes it complete. */
const readers: { readonly [Name in keyof ToolPolicy]-?: Reader<ToolPolicy[Name]> } = {
  timeout: readTimeout,
  category: oneOf("category", ["read", "write", "delete", "side_effect"]),
  consequenceLevel: oneOf("consequenceLevel", ["low", "medium", "high"]),
  requiresConfirmation: ofKind("requiresConfirmation", ["boolean", "function"]),
  effect: oneOf("effect", ["none", "idempotent", "once"]),
  retryable: ofKind("retryable", ["boolean"]),
  exclusive: readExclusive,
  concurrency: readConcurrency,
  rateLimit: readRateLimit,
  tags: (value, owner) => readStrings(value, "tags", owner),
  version: ofKind("version", ["string"]),
  dependsOn: (value, owner) => readStrings(namesOf(value), "dependsOn", owner),
  access: readAccess,
  deferred: (value, owner) => readDeferred(value, owner) || undefined,
  isolated: readIsolation,
};

export const policyNames = Object.keys(readers) as readonly (keyof ToolPolicy)[];

/** Resolves the policy from what was written: checks each value and fills in what the design says of the rest. */
export function resolvePolicy(written: Readonly<Record<string, unknown>>, owner: string, base?: ToolDefinition): ToolPolicy {
  const policy: { -readonly [Name in keyof ToolPolicy]: unknown } = {
    timeout: defaultTimeout,
    category: "side_effect",
    consequenceLevel: "medium",
    requiresConfirmation: false,
    retryable: true,
    tags: none,
    dependsOn: none,
  };
  for (const name of policyNames) {
    const value = written[name];
    const read = value === undefined ? base?.[name] : readers[name](value, owner);
    if (read !== undefined) policy[name] = read;
  }
  if (written.retryable === undefined) policy.retryable = defaultRetryable(written, base);
  // Each member was read by its own reader.
  return policy as ToolPolicy;
}

/** A declared effect decides, else a declared category. Without both a tool is retryable: most failures are temporary, and most tools read. */
function defaultRetryable(written: Readonly<Record<string, unknown>>, base: ToolDefinition | undefined): boolean {
  const { category, effect } = written;
  if (effect === undefined && category === undefined) return base?.retryable ?? true;
  const known = effect ?? base?.effect;
  return known === undefined ? category === "read" : known !== "once";
}

const none: readonly string[] = Object.freeze([]);

function readTimeout(value: unknown, owner: string): number {
  if (typeof value !== "number" || Number.isNaN(value) || value < 0) {
    throw new ToolDefinitionError(
      `${owner}: timeout must be a number of milliseconds, got ${typeof value} ${String(value)}. Write @timeout(5_000); 0 or Infinity means none.`,
    );
  }
  // Beyond it, as for `Infinity` and 0, there is no deadline.
  return value === 0 || value > longestTimer ? Number.POSITIVE_INFINITY : value;
}

function oneOf<const Value>(name: string, known: readonly Value[]): Reader<Value> {
  return (value, owner) => {
    if ((known as readonly unknown[]).includes(value)) return value as Value;
    throw new ToolDefinitionError(
      `${owner}: ${name} must be one of ${known.map((word) => `"${String(word)}"`).join(", ")}, got ${JSON.stringify(value)}.`,
    );
  };
}

/** The kinds are the types of `Value`, as `typeof` names them. */
function ofKind<Value>(name: string, kinds: readonly string[]): Reader<Value> {
  return (value, owner) => {
    if (kinds.includes(typeof value)) return value as Value;
    throw new ToolDefinitionError(`${owner}: ${name} must be a ${kinds.join(" or a ")}, got ${JSON.stringify(value)}.`);
  };
}

/** A list of tools may have classes in place of names. What is neither is left to the check. */
const namesOf = (tools: unknown): unknown =>
  Array.isArray(tools)
    ? tools.map((tool: unknown) => (typeof tool === "function" ? (tool as { readonly identifier?: unknown }).identifier : tool))
    : tools;

/** A copy, as of all lists and objects of a policy: who changes the author's object later changes no permission. */
function readStrings(value: unknown, name: string, owner: string): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === "string" && item !== "")) {
    return Object.freeze([...(value as readonly string[])]);
  }
  throw new ToolDefinitionError(`${owner}: ${name} must be a list of non-empty strings, got ${JSON.stringify(value)}.`);
}

function readExclusive(value: unknown, owner: string): ToolPolicy["exclusive"] {
  if (value === true || typeof value === "function" || (typeof value === "string" && value !== "")) return value as ToolPolicy["exclusive"];
  throw new ToolDefinitionError(`${owner}: exclusive takes a non-empty key, or a function of the input, got ${JSON.stringify(value)}.`);
}

function readAccess(value: unknown, owner: string): ToolAccess {
  if (!isOptions(value)) {
    throw new ToolDefinitionError(`${owner}: access takes { scopes, roles }, got ${JSON.stringify(value)}.`);
  }
  const { scopes, roles, ...unknown } = value as Record<string, unknown>;
  const access = {
    ...(scopes !== undefined && { scopes: readStrings(scopes, "access.scopes", owner) }),
    ...(roles !== undefined && { roles: readStrings(roles, "access.roles", owner) }),
  };
  const [name] = Object.keys(unknown);
  if (name !== undefined) {
    throw new ToolDefinitionError(`${owner}: access knows scopes and roles, not "${name}". ${insteadOfName(name, ["scopes", "roles"])}`);
  }
  for (const [kind, list] of Object.entries(access)) {
    if (list.length > 0) continue;
    throw new ToolDefinitionError(
      `${owner}: access.${kind} is an empty list, which allows every caller. Name at least one, or leave access out.`,
    );
  }
  if (scopes === undefined && roles === undefined) {
    throw new ToolDefinitionError(
      `${owner}: access names no scopes and no roles, which allows every caller. Name at least one, or leave it out.`,
    );
  }
  return Object.freeze(access);
}
