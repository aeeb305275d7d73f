import { hasValue } from "../keywords.js";

const orders = new WeakMap<object, Declared>();
const sets = new WeakMap<object, ReadonlySet<unknown>>();

const none: ReadonlySet<unknown> = new Set();

/** A list of a schema as a set, made once. */
export function setOf(list: readonly unknown[]): ReadonlySet<unknown> {
  if (list.length === 0) return none;
  let set = sets.get(list);
  if (set === undefined) sets.set(list, (set = new Set(list)));
  return set;
}

interface Declared {
  readonly names: readonly string[];
  readonly order: ReadonlyMap<string, number>;
}

/** So many declared names are looked up one by one in each object. */
const fewNames = 16;

/**
 * The declared names that an object may have, or lacks although they are required, in the order of the schema. It takes as long as
 * the object has properties, however many the schema declares.
 */
export function namesToVisit(
  declared: Record<string, unknown>,
  required: readonly unknown[],
  object: Record<string, unknown>,
): readonly string[] {
  const { names, order } = orderOf(declared);
  if (names.length <= fewNames) return names;
  const found = new Set<string>();
  for (const key of Object.keys(object)) if (order.has(key)) found.add(key);
  for (const name of required) if (typeof name === "string" && order.has(name) && !hasValue(object, name)) found.add(name);
  return [...found].sort((left, right) => (order.get(left) ?? 0) - (order.get(right) ?? 0));
}

function orderOf(declared: Record<string, unknown>): Declared {
  let known = orders.get(declared);
  if (known === undefined) {
    const names = Object.keys(declared);
    orders.set(declared, (known = { names, order: new Map(names.map((name, index) => [name, index])) }));
  }
  return known;
}
