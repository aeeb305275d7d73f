import { canonicalJson } from "../../execution/index.js";

/** Where two schemas differ first, as in `properties.age.type`, and what stands there; `undefined` where nothing does. */
export interface SchemaDifference {
  readonly path: string;
  readonly left: unknown;
  readonly right: unknown;
}

const heldSchema: ReadonlySet<string> = new Set([
  ...[
    "items",
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
  ],
]);
const heldSchemas: ReadonlySet<string> = new Set([
  ...["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "anyOf", "oneOf", "allOf", "prefixItems"],
]);

/**
 * The first place where two schemas differ; `undefined` where they say the same. The order of keys and of `required` doesn't
 * matter, nor whether objects are closed: schemas of type signatures leave `additionalProperties` out, classes say `false`.
 */
export function schemaDifference(left: unknown, right: unknown, path = ""): SchemaDifference | undefined {
  // Schemas below the root may be true and false; from outside they may be anything.
  if (!isObject(left) || !isObject(right)) return valueDifference(left, right, path || "its root");
  for (const keyword of keysOf(left, right)) {
    const difference = keywordDifference(keyword, own(left, keyword), own(right, keyword), path === "" ? keyword : `${path}.${keyword}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function keywordDifference(keyword: string, left: unknown, right: unknown, path: string): SchemaDifference | undefined {
  if (keyword === "additionalProperties" && !isObject(left) && !isObject(right)) return undefined;
  if (keyword === "required") return valueDifference(sorted(left), sorted(right), path);
  if (keyword === "properties") return membersDifference(left ?? {}, right ?? {}, path);
  if (isObject(left) && isObject(right)) {
    if (heldSchemas.has(keyword)) return membersDifference(left, right, path);
    // In old drafts `items` may be a list of schemas.
    if (heldSchema.has(keyword)) return Array.isArray(left) ? membersDifference(left, right, path) : schemaDifference(left, right, path);
  }
  return valueDifference(left, right, path);
}

/** Of schemas by their names, or in a list. */
function membersDifference(left: object, right: object, path: string): SchemaDifference | undefined {
  for (const name of keysOf(left, right)) {
    const [one, other] = [own(left, name), own(right, name)];
    const place = `${path}.${name}`;
    const difference =
      one === undefined || other === undefined ? { path: place, left: one, right: other } : schemaDifference(one, other, place);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

const valueDifference = (left: unknown, right: unknown, path: string): SchemaDifference | undefined =>
  left === right || canonicalJson(left) === canonicalJson(right) ? undefined : { path, left, right };

const keysOf = (left: object, right: object): ReadonlySet<string> => new Set([...Object.keys(left), ...Object.keys(right)]);

const own = (object: object, key: string): unknown => (Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined);

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Nothing required may be written as an empty list or not at all. */
const sorted = (required: unknown): unknown => (Array.isArray(required) ? [...(required as readonly string[])].sort() : (required ?? []));
