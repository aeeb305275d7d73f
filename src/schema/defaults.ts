import { findFaults } from "./fault-walk.js";
import { isEqual } from "./equality.js";
import { isRecord, type SchemaNode, setOwn } from "./keywords.js";
import { safePattern } from "./pattern.js";
import type { SchemaDocument } from "./schema-document.js";

/** Fills in absent properties that have a default; changes the value itself only where it is owned. */
export type ApplyDefaults = (value: unknown, owned: boolean) => unknown;

interface PropertyPlan {
  readonly name: string;
  /** Every object seems to have it (`toString`), so an absent one is told by asking for an own property. */
  readonly inherited: boolean;
  readonly fallback: { readonly value: unknown } | undefined;
  readonly plan: Plan | undefined;
}

/** What is to be done to a value of one schema node. */
interface Plan {
  readonly node: SchemaNode;
  properties: PropertyPlan[];
  patterns: { readonly expression: RegExp; readonly plan: Plan }[];
  rest: Plan | undefined;
  prefix: (Plan | undefined)[];
  items: Plan | undefined;
  /** `$ref` and `allOf`: they read the same value. */
  also: Plan[];
  unions: { readonly options: readonly unknown[]; readonly plans: (Plan | undefined)[] }[];
}

/**
 * Compiles the defaults of a schema: of properties at any depth, in items, through `$ref` and `allOf`, and in the one branch of
 * a union that the value can mean (by its type and its constant properties). A default that breaks its own schema is never
 * applied. `undefined` where there is nothing to do.
 */
export function compileDefaults(schema: SchemaNode, document: SchemaDocument): ApplyDefaults | undefined {
  if (!mentionsDefault(schema)) return undefined;
  const plans = new Map<SchemaNode, Plan>();
  const root = new PlanBuilder(document, plans).plan(schema);
  const active = activePlans(plans.values());
  if (root === undefined || !active.has(root)) return undefined;
  for (const plan of active) prune(plan, active);
  return (value, owned) => apply(root, value, owned, document);
}

class PlanBuilder {
  private readonly expanding = new Set<SchemaNode>();

  constructor(
    private readonly document: SchemaDocument,
    private readonly plans: Map<SchemaNode, Plan>,
  ) {}

  plan(node: unknown): Plan | undefined {
    if (!isRecord(node)) return undefined;
    const known = this.plans.get(node);
    if (known !== undefined) return known;
    const plan: Plan = { node, properties: [], patterns: [], rest: undefined, prefix: [], items: undefined, also: [], unions: [] };
    this.plans.set(node, plan);
    const target = this.plan(this.document.targets.get(node));
    if (target !== undefined) plan.also.push(target);
    if (target === undefined || !this.document.draft07) this.fill(plan, node);
    return plan;
  }

  private fill(plan: Plan, node: SchemaNode): void {
    const { properties, patternProperties, additionalProperties, prefixItems, items, additionalItems, allOf, anyOf, oneOf } = node;
    for (const [name, inner] of Object.entries(isRecord(properties) ? properties : {})) {
      if (name === "__proto__") continue;
      plan.properties.push({ name, inherited: name in Object.prototype, fallback: this.fallback(inner), plan: this.plan(inner) });
    }
    for (const [source, inner] of Object.entries(isRecord(patternProperties) ? patternProperties : {})) {
      const innerPlan = this.plan(inner);
      if (innerPlan !== undefined) plan.patterns.push({ expression: safePattern(source).expression, plan: innerPlan });
    }
    plan.rest = this.plan(additionalProperties);
    const listed: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    plan.prefix = listed.map((inner) => this.plan(inner));
    plan.items = this.plan(Array.isArray(items) ? additionalItems : items);
    for (const inner of Array.isArray(allOf) ? allOf : []) {
      const innerPlan = this.plan(inner);
      if (innerPlan !== undefined) plan.also.push(innerPlan);
    }
    for (const options of [anyOf, oneOf]) {
      if (Array.isArray(options)) plan.unions.push({ options, plans: options.map((option) => this.plan(option)) });
    }
  }

  /** The default of a property with the defaults inside it filled in; one that contains itself is filled in once. */
  private fallback(node: unknown): { readonly value: unknown } | undefined {
    const declared = this.declaredDefault(node);
    if (!isRecord(node) || declared === undefined || this.expanding.has(node)) return undefined;
    this.expanding.add(node);
    const inner = new PlanBuilder(this.document, new Map());
    for (const open of this.expanding) inner.expanding.add(open);
    const plan = inner.plan(node);
    const value = plan === undefined ? declared : apply(plan, copy(declared), true, this.document);
    this.expanding.delete(node);
    return this.fits(node, value) ? { value } : undefined;
  }

  private fits(node: SchemaNode, value: unknown): boolean {
    try {
      return findFaults(node, this.document, value, false).faults.length === 0;
    } catch {
      return false; // too deep or too complex to be checked
    }
  }

  private declaredDefault(node: unknown): unknown {
    if (!isRecord(node)) return undefined;
    return node.default ?? (Object.hasOwn(node, "default") ? null : this.declaredDefault(this.document.targets.get(node)));
  }
}

function apply(plan: Plan, value: unknown, owned: boolean, document: SchemaDocument): unknown {
  if (typeof value !== "object" || value === null) return value;
  let current: unknown = Array.isArray(value)
    ? applyToArray(plan, value, owned, document)
    : applyToObject(plan, value as Record<string, unknown>, owned, document);
  for (const other of plan.also) current = apply(other, current, owned, document);
  for (const { options, plans } of plan.unions) {
    const meant = options.filter((option) => canMean(option, current, document));
    const branch = meant.length === 1 ? plans[options.indexOf(meant[0])] : undefined;
    if (branch !== undefined) current = apply(branch, current, owned, document);
  }
  return current;
}

function applyToObject(plan: Plan, object: Record<string, unknown>, owned: boolean, document: SchemaDocument): Record<string, unknown> {
  let current = object;
  for (const { name, inherited, fallback, plan: inner } of plan.properties) {
    const value = inherited && !Object.hasOwn(object, name) ? undefined : object[name];
    let next = value;
    if (value !== undefined) {
      if (inner !== undefined) next = apply(inner, value, owned, document);
    } else if (fallback !== undefined) next = copy(fallback.value);
    if (next === value) continue;
    if (!owned && current === object) current = shallowCopy(object);
    current[name] = next;
  }
  if (plan.rest === undefined && plan.patterns.length === 0) return current;
  for (const key of Object.keys(object)) {
    const { node } = plan;
    const declared = isRecord(node.properties) && Object.hasOwn(node.properties, key);
    const matching = plan.patterns.filter(({ expression }) => expression.test(key));
    const inners = matching.length > 0 || declared ? matching.map((pattern) => pattern.plan) : plan.rest === undefined ? [] : [plan.rest];
    for (const inner of inners) {
      const value = current[key];
      const next = apply(inner, value, owned, document);
      if (next === value) continue;
      if (!owned && current === object) current = shallowCopy(object);
      setOwn(current, key, next);
    }
  }
  return current;
}

function applyToArray(plan: Plan, array: unknown[], owned: boolean, document: SchemaDocument): unknown[] {
  if (plan.items === undefined && plan.prefix.length === 0) return array;
  let current = array;
  for (let index = 0; index < array.length; index++) {
    const inner = index < plan.prefix.length ? plan.prefix[index] : plan.items;
    if (inner === undefined) continue;
    const next = apply(inner, array[index], owned, document);
    if (next === array[index]) continue;
    if (!owned && current === array) current = [...array];
    current[index] = next;
  }
  return current;
}

/** Whether a branch of a union can be what the value is meant as: by its type, and by properties with one allowed value. */
function canMean(option: unknown, value: unknown, document: SchemaDocument): boolean {
  if (!isRecord(option)) return option !== false;
  const target = document.targets.get(option);
  if (target !== undefined && !canMean(target, value, document)) return false;
  const type = Array.isArray(value) ? "array" : "object";
  if (option.type !== undefined && option.type !== type && !(Array.isArray(option.type) && option.type.includes(type))) return false;
  if (!isRecord(option.properties) || !isRecord(value)) return true;
  const required: readonly unknown[] = Array.isArray(option.required) ? option.required : [];
  return Object.entries(option.properties).every(([name, inner]) => {
    if (!isRecord(inner) || !(Object.hasOwn(inner, "const") || Array.isArray(inner.enum))) return true;
    if (!Object.hasOwn(value, name)) return !required.includes(name);
    const allowed: readonly unknown[] = Array.isArray(inner.enum) ? inner.enum : [inner.const];
    return allowed.some((constant) => isEqual(constant, value[name]));
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

function mentionsDefault(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(mentionsDefault);
  if (!isRecord(node)) return false;
  return Object.hasOwn(node, "default") || Object.values(node).some((inner) => typeof inner === "object" && mentionsDefault(inner));
}

/** The plans that lead to a default, found from the defaults backwards. */
function activePlans(all: Iterable<Plan>): ReadonlySet<Plan> {
  const active = new Set<Plan>();
  const plans = [...all];
  for (let before = -1; before !== active.size; ) {
    before = active.size;
    for (const plan of plans) {
      if (plan.properties.some(({ fallback }) => fallback !== undefined) || innerPlans(plan).some((inner) => active.has(inner)))
        active.add(plan);
    }
  }
  return active;
}

function innerPlans({ properties, patterns, rest, prefix, items, also, unions }: Plan): readonly Plan[] {
  const inner = [...properties.map(({ plan }) => plan), ...patterns.map(({ plan }) => plan), rest, ...prefix, items, ...also];
  return [...inner, ...unions.flatMap(({ plans }) => plans)].filter((plan) => plan !== undefined);
}

/** Takes out what leads to no default, so that the hot path does not look at it. */
function prune(plan: Plan, active: ReadonlySet<Plan>): void {
  const keep = (inner: Plan | undefined): Plan | undefined => (inner !== undefined && active.has(inner) ? inner : undefined);
  plan.properties = plan.properties
    .map((property) => ({ ...property, plan: keep(property.plan) }))
    .filter((property) => property.fallback !== undefined || property.plan !== undefined);
  plan.rest = keep(plan.rest);
  // With a rest, even patterns without defaults are needed: they say which names are not the rest's.
  if (plan.rest === undefined) plan.patterns = plan.patterns.filter((pattern) => active.has(pattern.plan));
  plan.prefix = plan.prefix.map(keep);
  if (plan.prefix.every((inner) => inner === undefined) && keep(plan.items) === undefined) plan.prefix = [];
  plan.items = keep(plan.items);
  plan.also = plan.also.filter((inner) => active.has(inner));
  plan.unions = plan.unions
    .map((union) => ({ ...union, plans: union.plans.map(keep) }))
    .filter(({ plans }) => plans.some((inner) => inner !== undefined));
}
