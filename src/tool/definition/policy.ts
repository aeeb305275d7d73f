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

/** The names of the policy; the type makes it complete. */
export const policyKeys: Readonly<Record<keyof ToolPolicy, true>> = {
  timeout: true,
  category: true,
  consequenceLevel: true,
  requiresConfirmation: true,
  effect: true,
  retryable: true,
  exclusive: true,
  concurrency: true,
  rateLimit: true,
  tags: true,
  version: true,
  dependsOn: true,
  access: true,
  deferred: true,
  isolated: true,
};

export const policyNames: readonly string[] = Object.keys(policyKeys);

/** Milliseconds. */
export const defaultTimeout = 10_000;

const oneOf = {
  category: ["read", "write", "delete", "side_effect"],
  consequenceLevel: ["low", "medium", "high"],
  effect: ["none", "idempotent", "once"],
} as const;

/** Resolves the policy from what was written: checks each value and fills in what the design says of the rest. */
export function resolvePolicy(written: Readonly<Record<string, unknown>>, owner: string, base?: ToolDefinition): ToolPolicy {
  const said = (name: keyof ToolPolicy): unknown => (written[name] === undefined ? base?.[name] : written[name]);
  for (const name of ["category", "consequenceLevel", "effect"] as const) checkOneOf(owner, name, said(name), oneOf[name]);
  const dependsOn = namesOf(said("dependsOn"));
  checkStrings(owner, "tags", said("tags"));
  checkStrings(owner, "dependsOn", dependsOn);
  checkKind(owner, "retryable", said("retryable"), ["boolean"]);
  checkKind(owner, "requiresConfirmation", said("requiresConfirmation"), ["boolean", "function"]);
  checkKind(owner, "version", said("version"), ["string"]);
  checkKind(owner, "deferred", said("deferred"), ["boolean"]);
  checkExclusive(owner, said("exclusive"));
  checkAccess(owner, said("access"));
  const policy: { -readonly [Name in keyof ToolPolicy]: ToolPolicy[Name] } = {
    timeout: readTimeout(owner, said("timeout") ?? defaultTimeout),
    category: (said("category") ?? "side_effect") as ToolPolicy["category"],
    consequenceLevel: (said("consequenceLevel") ?? "medium") as ToolPolicy["consequenceLevel"],
    requiresConfirmation: (said("requiresConfirmation") ?? false) as ToolPolicy["requiresConfirmation"],
    retryable: (written.retryable ?? defaultRetryable(written, base)) as boolean,
    tags: frozenList(said("tags")),
    dependsOn: frozenList(dependsOn),
  };
  const optional: Partial<Record<keyof ToolPolicy, unknown>> = policy;
  for (const name of ["effect", "exclusive", "version", "access"] as const) {
    const value = said(name);
    if (value !== undefined) optional[name] = name === "access" ? frozenLists(value as ToolAccess) : value;
  }
  const concurrency = readConcurrency(owner, said("concurrency"));
  if (concurrency !== undefined) optional.concurrency = concurrency;
  const rateLimit = readRateLimit(owner, said("rateLimit"));
  if (rateLimit !== undefined) optional.rateLimit = rateLimit;
  if (said("deferred") === true) optional.deferred = true;
  if (written.isolated !== undefined) optional.isolated = readIsolation(written.isolated, owner);
  return policy;
}

/** A declared effect decides, else a declared category. Without both a tool is retryable: most failures are temporary, and most tools read. */
function defaultRetryable(written: Readonly<Record<string, unknown>>, base: ToolDefinition | undefined): boolean {
  const { category, effect } = written;
  if (effect === undefined && category === undefined) return base?.retryable ?? true;
  const known = effect ?? base?.effect;
  return known === undefined ? category === "read" : known !== "once";
}

const nothing: readonly string[] = Object.freeze([]);
const frozenList = (list: unknown): readonly string[] => (list === undefined ? nothing : Object.freeze([...(list as readonly string[])]));

/** A copy: who changes the author's object later changes no permission. */
const frozenLists = ({ scopes, roles }: ToolAccess): ToolAccess =>
  Object.freeze({
    ...(scopes === undefined ? {} : { scopes: frozenList(scopes) }),
    ...(roles === undefined ? {} : { roles: frozenList(roles) }),
  });

function readTimeout(owner: string, value: unknown): number {
  if (typeof value !== "number" || Number.isNaN(value) || value < 0) {
    throw new ToolDefinitionError(
      `${owner}: timeout must be a number of milliseconds, got ${typeof value} ${String(value)}. Write @timeout(5_000); 0 or Infinity means none.`,
    );
  }
  // Beyond it, as for `Infinity` and 0, there is no deadline.
  return value === 0 || value > longestTimer ? Number.POSITIVE_INFINITY : value;
}

function checkOneOf(owner: string, name: string, value: unknown, known: readonly string[]): void {
  if (value === undefined || known.includes(value as string)) return;
  throw new ToolDefinitionError(
    `${owner}: ${name} must be one of ${known.map((word) => `"${word}"`).join(", ")}, got ${JSON.stringify(value)}.`,
  );
}

/** A list of tools may have classes in place of names. What is neither is left to the check. */
const namesOf = (tools: unknown): unknown =>
  Array.isArray(tools)
    ? tools.map((tool: unknown) => (typeof tool === "function" ? (tool as { readonly identifier?: unknown }).identifier : tool))
    : tools;

function checkStrings(owner: string, name: string, value: unknown): void {
  if (value === undefined || (Array.isArray(value) && value.every((item) => typeof item === "string" && item !== ""))) return;
  throw new ToolDefinitionError(`${owner}: ${name} must be a list of non-empty strings, got ${JSON.stringify(value)}.`);
}

function checkKind(owner: string, name: string, value: unknown, kinds: readonly string[]): void {
  if (value === undefined || kinds.includes(typeof value)) return;
  throw new ToolDefinitionError(`${owner}: ${name} must be a ${kinds.join(" or a ")}, got ${JSON.stringify(value)}.`);
}

function checkExclusive(owner: string, value: unknown): void {
  if (value === undefined || value === true || typeof value === "function" || (typeof value === "string" && value !== "")) return;
  throw new ToolDefinitionError(`${owner}: exclusive takes a non-empty key, or a function of the input, got ${JSON.stringify(value)}.`);
}

function checkAccess(owner: string, value: unknown): void {
  if (value === undefined) return;
  if (!isOptions(value)) {
    throw new ToolDefinitionError(`${owner}: access takes { scopes, roles }, got ${JSON.stringify(value)}.`);
  }
  const { scopes, roles, ...unknown } = value as Record<string, unknown>;
  checkStrings(owner, "access.scopes", scopes);
  checkStrings(owner, "access.roles", roles);
  const [name] = Object.keys(unknown);
  if (name !== undefined) {
    throw new ToolDefinitionError(`${owner}: access knows scopes and roles, not "${name}". ${insteadOfName(name, ["scopes", "roles"])}`);
  }
  for (const [kind, list] of Object.entries({ scopes, roles })) {
    if (!Array.isArray(list) || list.length > 0) continue;
    throw new ToolDefinitionError(
      `${owner}: access.${kind} is an empty list, which allows every caller. Name at least one, or leave access out.`,
    );
  }
  if (scopes === undefined && roles === undefined) {
    throw new ToolDefinitionError(
      `${owner}: access names no scopes and no roles, which allows every caller. Name at least one, or leave it out.`,
    );
  }
}
