import { activePlans, type Fallback, type Plan, PlanBuilder, type PropertyPlan, prune } from "./default-plan.js";
import { isEqual } from "../json-equality.js";
import type { SchemaNode } from "../keywords.js";
import { isRecord } from "../type-guards.js";
import { setOwn } from "../../redaction/internal.js";
import type { SchemaDocument } from "../schema-document.js";
import { isAllowed } from "../faults/allowed-values.js";
import { setOf } from "../faults/declared-names.js";
import { fitsSchema } from "../faults/fault-walk.js";
import { TooCostlyError, WorkBudget } from "../work-budget.js";

/** Fills in absent properties that have a default; changes the value itself only if it is owned. */
export type ApplyDefaults = (value: unknown, owned: boolean, budget: WorkBudget) => unknown;

/**
 * Compiles the defaults of a schema: of properties at any depth, in items, and through `$ref` and `allOf`. Of a union, those of the one
 * branch that the value can mean by its type and its constant properties. A default that breaks its own schema is never applied.
 * `undefined` if there is nothing to do.
 */
export function compileDefaults(schema: SchemaNode, document: SchemaDocument): ApplyDefaults | undefined {
  if (!mentionsDefault(schema)) return undefined;
  const plans = new Map<SchemaNode, Plan>();
  const root = new PlanBuilder(document, plans).plan(schema);
  new Fallbacks(document, plans).find();
  const active = activePlans([...plans.values()]);
  if (root === undefined || !active.has(root)) return undefined;
  for (const plan of active) prune(plan, active);
  return (value, owned, budget) => apply(root, value, owned, { document, budget });
}

/** Finds what absent properties are filled with: once for each node, before any value comes. */
class Fallbacks {
  private readonly known = new Map<SchemaNode, Fallback | undefined>();
  private readonly expanding = new Set<SchemaNode>();
  private readonly filling: Filling;
  /** Counts the defaults that were left out because they contain themselves. */
  private cut = 0;

  constructor(
    private readonly document: SchemaDocument,
    private readonly plans: ReadonlyMap<SchemaNode, Plan>,
  ) {
    this.filling = { document, budget: new WorkBudget(), fallbackOf: ({ node }) => this.of(node) };
  }

  find(): void {
    for (const { properties } of this.plans.values()) for (const property of properties) property.fallback = this.of(property.node);
  }

  /** The default of a property with the defaults inside it filled in; one that contains itself is filled in once. */
  private of(node: unknown): Fallback | undefined {
    if (!isRecord(node)) return undefined;
    if (this.known.has(node)) return this.known.get(node);
    const declared = this.declaredDefault(node);
    if (declared === undefined) return undefined;
    if (this.expanding.has(node)) {
      this.cut++;
      return undefined;
    }
    const cutBefore = this.cut;
    this.expanding.add(node);
    const plan = this.plans.get(node);
    const fresh = copy(declared);
    this.filling.budget.spend(partsOf(declared) * copyWork);
    const value = plan === undefined ? fresh : apply(plan, fresh, true, this.filling);
    this.expanding.delete(node);
    const fallback = this.fits(node, value) ? { value, parts: partsOf(value) } : undefined;
    if (this.cut === cutBefore || this.expanding.size === 0) this.known.set(node, fallback);
    return fallback;
  }

  private fits(node: SchemaNode, value: unknown): boolean {
    try {
      return fitsSchema(node, this.document, value, this.filling.budget);
    } catch (error) {
      if (error instanceof TooCostlyError) throw error;
      return false; // nested too deeply
    }
  }

  private declaredDefault(node: unknown): unknown {
    this.filling.budget.spend(2);
    if (!isRecord(node)) return undefined;
    return node.default ?? (Object.hasOwn(node, "default") ? null : this.declaredDefault(this.document.targets.get(node)));
  }
}

/** What filling in needs to know beside plan and value. */
interface Filling {
  readonly document: SchemaDocument;
  readonly budget: WorkBudget;
  /** Given only while the plans' own are still looked for. */
  readonly fallbackOf?: (property: PropertyPlan) => Fallback | undefined;
}

/** Units of work that copying a part of a default takes. */
const copyWork = 8;

function apply(plan: Plan, value: unknown, owned: boolean, filling: Filling): unknown {
  if (typeof value !== "object" || value === null) return value;
  let current: unknown = Array.isArray(value)
    ? applyToArray(plan, value, owned, filling)
    : applyToObject(plan, value as Record<string, unknown>, owned, filling);
  for (const other of plan.also) current = apply(other, current, owned, filling);
  for (const { options, plans } of plan.unions) {
    const meant = options.filter((option) => canMean(option, current, filling));
    const branch = meant.length === 1 ? plans[options.indexOf(meant[0])] : undefined;
    if (branch !== undefined) current = apply(branch, current, owned, filling);
  }
  return current;
}

function applyToObject(plan: Plan, object: Record<string, unknown>, owned: boolean, filling: Filling): Record<string, unknown> {
  const { budget, fallbackOf } = filling;
  budget.spend(5 + plan.properties.length);
  let current = object;
  for (const property of plan.properties) {
    const { name, plan: inner } = property;
    const value = property.inherited && !Object.hasOwn(object, name) ? undefined : object[name];
    let next = value;
    if (value !== undefined) {
      if (inner !== undefined) next = apply(inner, value, owned, filling);
    } else {
      const fallback = fallbackOf === undefined ? property.fallback : fallbackOf(property);
      if (fallback === undefined) continue;
      budget.spend(fallback.parts * copyWork);
      next = copy(fallback.value);
    }
    if (next === value) continue;
    if (!owned && current === object) current = shallowCopy(object);
    current[name] = next;
  }
  if (plan.rest === undefined && plan.patterns.length === 0) return current;
  const { node } = plan;
  for (const key of Object.keys(object)) {
    const declared = isRecord(node.properties) && Object.hasOwn(node.properties, key);
    budget.spend(5 + plan.patterns.length);
    const matching = plan.patterns.filter(({ pattern }) => pattern.test(key, (units) => budget.spend(units)));
    const inners = matching.length > 0 || declared ? matching.map((pattern) => pattern.plan) : plan.rest === undefined ? [] : [plan.rest];
    for (const inner of inners) {
      const value = current[key];
      const next = apply(inner, value, owned, filling);
      if (next === value) continue;
      if (!owned && current === object) current = shallowCopy(object);
      setOwn(current, key, next);
    }
  }
  return current;
}

function applyToArray(plan: Plan, array: unknown[], owned: boolean, filling: Filling): unknown[] {
  if (plan.items === undefined && plan.prefix.length === 0) return array;
  filling.budget.spend(array.length);
  let current = array;
  for (let index = 0; index < array.length; index++) {
    const inner = index < plan.prefix.length ? plan.prefix[index] : plan.items;
    if (inner === undefined) continue;
    const next = apply(inner, array[index], owned, filling);
    if (next === array[index]) continue;
    if (!owned && current === array) current = [...array];
    current[index] = next;
  }
  return current;
}

/** Whether a branch of a union can be what the value is meant as: by its type, and by properties with one allowed value. */
function canMean(option: unknown, value: unknown, filling: Filling): boolean {
  const { document, budget } = filling;
  const count = (units: number): void => budget.spend(units);
  count(5);
  if (!isRecord(option)) return option !== false;
  const target = document.targets.get(option);
  if (target !== undefined && !canMean(target, value, filling)) return false;
  const type = Array.isArray(value) ? "array" : "object";
  if (option.type !== undefined && option.type !== type && !(Array.isArray(option.type) && option.type.includes(type))) return false;
  if (!isRecord(option.properties) || !isRecord(value)) return true;
  const required: readonly unknown[] = Array.isArray(option.required) ? option.required : [];
  return Object.entries(option.properties).every(([name, inner]) => {
    count(5);
    if (!isRecord(inner) || !(Object.hasOwn(inner, "const") || Array.isArray(inner.enum))) return true;
    if (!Object.hasOwn(value, name)) return !setOf(required).has(name);
    return Array.isArray(inner.enum) ? isAllowed(inner.enum, value[name], count) : isEqual(inner.const, value[name], count);
  });
}

/** `{ ...object }` makes objects to which V8 adds properties eight times as slowly; but `assign` would obey a `__proto__` of its own. */
const shallowCopy = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.hasOwn(object, "__proto__") ? { ...object } : Object.assign({}, object);

/** A fresh copy of a JSON value. (`structuredClone` takes ten times as long.) */
function copy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  const result: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) setOwn(result, key, copy(inner));
  return result;
}

/** How many parts a value has. */
function partsOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + partsOf(inner), 1);
}

function mentionsDefault(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(mentionsDefault);
  if (!isRecord(node)) return false;
  return Object.hasOwn(node, "default") || Object.values(node).some((inner) => typeof inner === "object" && mentionsDefault(inner));
}
