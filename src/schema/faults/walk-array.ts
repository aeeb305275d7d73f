import { plural } from "./describe-value.js";
import { equalityText } from "../json-equality.js";
import { isSchema, type SchemaNode } from "../keywords.js";
import type { Place } from "../place.js";
import type { Evaluated } from "./evaluated.js";
import type { Walk } from "./walk.js";

export function visitArray(
  walk: Walk,
  schema: SchemaNode,
  array: readonly unknown[],
  place: Place | undefined,
  evaluated: Evaluated | undefined,
): readonly unknown[] {
  const { prefixItems, items, additionalItems, minItems, maxItems, uniqueItems, contains } = schema;
  const listed: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const rest = Array.isArray(items) ? additionalItems : items;
  if (typeof minItems === "number" && array.length < minItems) {
    walk.fault(place, "minItems", () => `must have at least ${plural(minItems, "item")}, has ${array.length}`);
  }
  if (typeof maxItems === "number" && array.length > maxItems) {
    walk.fault(place, "maxItems", () => `must have at most ${plural(maxItems, "item")}, has ${array.length}`);
  }
  let changed: unknown[] | undefined;
  for (let index = 0; index < array.length && !walk.stopped; index++) {
    const itemSchema = index < listed.length ? listed[index] : rest;
    if (itemSchema === undefined) break;
    const visited = walk.visit(itemSchema, array[index], { parent: place, key: index });
    if (visited !== array[index]) (changed ??= [...array])[index] = visited;
  }
  if (evaluated !== undefined) evaluated.items = Math.max(evaluated.items, rest === undefined ? listed.length : array.length);
  const current = changed ?? array;
  if (uniqueItems === true) checkUnique(walk, current, place);
  if (isSchema(contains)) checkContains(walk, schema, contains, current, place, evaluated);
  return current;
}

function checkUnique(walk: Walk, array: readonly unknown[], place: Place | undefined): void {
  const first = new Map<string, number>();
  for (const [index, item] of array.entries()) {
    const text = equalityText(item, (units) => walk.session.budget.spend(units, place));
    const earlier = first.get(text);
    if (earlier === undefined) first.set(text, index);
    else walk.fault({ parent: place, key: index }, "uniqueItems", () => `must not repeat item ${earlier}`);
    if (walk.stopped) return;
  }
}

function checkContains(
  walk: Walk,
  schema: SchemaNode,
  contains: SchemaNode | boolean,
  array: readonly unknown[],
  place: Place | undefined,
  evaluated: Evaluated | undefined,
): void {
  const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema;
  let count = 0;
  for (const [index, item] of array.entries()) {
    if (!walk.fits(contains, item, { parent: place, key: index })) continue;
    count++;
    evaluated?.contained.add(index);
  }
  if (count < Number(minContains)) {
    walk.fault(place, "contains", () => `must have at least ${plural(Number(minContains), "item")} of the required kind, has ${count}`);
  }
  if (count > Number(maxContains)) {
    walk.fault(place, "maxContains", () => `must have at most ${plural(Number(maxContains), "item")} of the limited kind, has ${count}`);
  }
}

/** Items that no keyword of the schema has looked at. */
export function visitUnevaluatedItems(
  walk: Walk,
  rest: unknown,
  array: readonly unknown[],
  place: Place | undefined,
  evaluated: Evaluated,
): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (let index = 0; index < array.length && !walk.stopped; index++) {
    if (evaluated.has(index)) continue;
    if (rest === false) {
      walk.fault(place, "unevaluatedItems", () => "must not have unevaluated items");
      break;
    }
    const visited = walk.visit(rest, array[index], { parent: place, key: index });
    if (visited !== array[index]) (changed ??= [...array])[index] = visited;
  }
  evaluated.items = array.length;
  return changed ?? array;
}
