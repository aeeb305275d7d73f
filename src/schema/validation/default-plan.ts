import type { SchemaNode } from "../keywords.js";
import { isRecord } from "../type-guards.js";
import { type SafePattern, safePattern } from "../pattern/pattern.js";
import type { SchemaDocument } from "../schema-document.js";

export interface PropertyPlan {
  readonly name: string;
  readonly node: unknown;
  /** Every object seems to have it (`toString`), so only a look for an own property shows whether it is absent. */
  readonly inherited: boolean;
  readonly plan: Plan | undefined;
  fallback: Fallback | undefined;
}

export interface Fallback {
  readonly value: unknown;
  /** How many parts it has, for the count of work. */
  readonly parts: number;
}

/** What is to be done to a value of one schema node. */
export interface Plan {
  readonly node: SchemaNode;
  properties: PropertyPlan[];
  patterns: { readonly pattern: SafePattern; readonly plan: Plan }[];
  rest: Plan | undefined;
  prefix: (Plan | undefined)[];
  items: Plan | undefined;
  /** `$ref` and `allOf`: they read the same value. */
  also: Plan[];
  unions: { readonly options: readonly unknown[]; readonly plans: (Plan | undefined)[] }[];
}

/** Finds the plans of a schema and of all that it leads to. */
export class PlanBuilder {
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
      plan.properties.push({ name, node: inner, inherited: name in Object.prototype, plan: this.plan(inner), fallback: undefined });
    }
    for (const [source, inner] of Object.entries(isRecord(patternProperties) ? patternProperties : {})) {
      const innerPlan = this.plan(inner);
      if (innerPlan !== undefined) plan.patterns.push({ pattern: safePattern(source), plan: innerPlan });
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
}

/** The plans that lead to a default, found from the defaults backwards. */
export function activePlans(plans: readonly Plan[]): ReadonlySet<Plan> {
  const outer = new Map<Plan, Plan[]>();
  for (const plan of plans) {
    for (const inner of innerPlans(plan)) {
      const known = outer.get(inner);
      if (known === undefined) outer.set(inner, [plan]);
      else known.push(plan);
    }
  }
  const active = new Set(plans.filter(({ properties }) => properties.some(({ fallback }) => fallback !== undefined)));
  // A set goes on to what is added to it meanwhile.
  for (const plan of active) for (const other of outer.get(plan) ?? []) active.add(other);
  return active;
}

function innerPlans({ properties, patterns, rest, prefix, items, also, unions }: Plan): readonly Plan[] {
  const inner = [...properties.map(({ plan }) => plan), ...patterns.map(({ plan }) => plan), rest, ...prefix, items, ...also];
  return [...inner, ...unions.flatMap(({ plans }) => plans)].filter((plan) => plan !== undefined);
}

/** Takes out what leads to no default, so that the hot path does not look at it. */
export function prune(plan: Plan, active: ReadonlySet<Plan>): void {
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
