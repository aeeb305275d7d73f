import { checkKeywords } from "./check-keywords.js";
import type { Refuse } from "./copy-schema.js";
import { eachSubschema, inPlaceKeywords, isSchema, type SchemaNode, subschemaKeywords } from "./keywords.js";
import { isRecord } from "./type-guards.js";
import { safePattern } from "./pattern/pattern.js";
import { PatternTotal } from "./pattern/pattern-total.js";
import { type Place, placeOfPointer } from "./place.js";

/** What `$dynamicRef` needs to find its target while a value is walked. */
export interface DynamicReferences {
  /** What each `$dynamicRef` leads to at first, and the name to look for elsewhere if that is a `$dynamicAnchor`. */
  readonly references: ReadonlyMap<SchemaNode, { readonly target: SchemaNode | boolean; readonly name: string | undefined }>;
  /** By resource, `#` and name. */
  readonly anchors: ReadonlyMap<string, SchemaNode>;
  /** The resource that each node belongs to. */
  readonly resources: ReadonlyMap<SchemaNode, string>;
}

/** What is known about a whole schema once it is taken in. */
export interface SchemaDocument {
  /** Draft-07 and older: keywords beside a `$ref` don't count. */
  readonly draft07: boolean;
  /** What the `$ref` of each node that has one points to. */
  readonly targets: ReadonlyMap<SchemaNode, SchemaNode | boolean>;
  /**
   * A keyword that the engine can't check in bounded time, or checks wrongly: declared names such as `toString`, patterns of names that
   * only the linear matcher may run, `unevaluatedProperties`, `unevaluatedItems`, `$dynamicRef`.
   */
  readonly beyondEngine: boolean;
  /** Present if the schema has a `$dynamicRef`. */
  readonly dynamic?: DynamicReferences;
}

const dialects = /^https?:\/\/json-schema\.org\/(?:(draft-0[4-7])\/|draft\/20(?:19-09|20-12)\/)?schema#?$/;
/** Longer addresses and references are refused: each is resolved against the other. */
const maxReference = 1_000;

const defaultBase = "toolwright:/schema";

/** The documents of most schemas are alike; one object serves them all. */
export const plainDocument: SchemaDocument = { draft07: false, targets: new Map(), beyondEngine: false };
const plainDraft07: SchemaDocument = { ...plainDocument, draft07: true };

/** Checks every part of a copied schema, and resolves its references inside the document; none is ever fetched. */
export function readDocument(root: SchemaNode, refuse: Refuse): SchemaDocument {
  const draft07 = readDialect(root.$schema, refuse);
  const targets = new Map<SchemaNode, SchemaNode | boolean>();
  const seen = new Set<SchemaNode>();
  const resources = new Map<string, SchemaNode>([[defaultBase, root]]);
  const anchors = new Map<string, SchemaNode>();
  const references: {
    readonly node: SchemaNode;
    readonly keyword: "$ref" | "$dynamicRef";
    readonly place: Place | undefined;
    readonly base: string;
  }[] = [];
  const bases = new Map<SchemaNode, string>();
  const dynamic: Map<SchemaNode, { readonly target: SchemaNode | boolean; readonly name: string | undefined }> = new Map();
  const patterns = new PatternTotal(refuse);
  let beyondEngine = false;

  function visit(node: unknown, place: Place | undefined, outerBase: string): void {
    if (!isRecord(node) || seen.has(node)) return;
    seen.add(node);
    patterns.add(node, place);
    checkKeywords(node, place, refuse);
    const base = readIdentity(node, place, outerBase);
    if (typeof node.$ref === "string") references.push({ node, keyword: "$ref", place: { parent: place, key: "$ref" }, base });
    if (typeof node.$dynamicRef === "string")
      references.push({ node, keyword: "$dynamicRef", place: { parent: place, key: "$dynamicRef" }, base });
    bases.set(node, base);
    beyondEngine ||= isBeyondEngine(node);
    for (const key of Object.keys(node)) {
      const kind = subschemaKeywords.get(key);
      if (kind !== undefined) eachSubschema(kind, node[key], { parent: place, key }, (inner, innerPlace) => visit(inner, innerPlace, base));
    }
  }

  function readIdentity(node: SchemaNode, place: Place | undefined, outerBase: string): string {
    let base = outerBase;
    const { $id: id, $anchor: anchor, $dynamicAnchor: dynamicAnchor } = node;
    if (typeof id === "string" && !(draft07 && node.$ref !== undefined)) {
      if (id.startsWith("#")) register(anchors, `${base}${id}`, node, { parent: place, key: "$id" });
      else {
        const [resource] = resolve(id, base, { parent: place, key: "$id" });
        if (resource !== defaultBase) register(resources, resource, node, { parent: place, key: "$id" });
        base = resource;
      }
    }
    if (typeof anchor === "string") register(anchors, `${base}#${anchor}`, node, { parent: place, key: "$anchor" });
    if (typeof dynamicAnchor === "string" && dynamicAnchor !== anchor)
      register(anchors, `${base}#${dynamicAnchor}`, node, { parent: place, key: "$dynamicAnchor" });
    return base;
  }

  function register(index: Map<string, SchemaNode>, key: string, node: SchemaNode, place: Place | undefined): void {
    if (index.has(key)) refuse(place, `names "${key}" a second time in one schema. Give each part its own name.`);
    index.set(key, node);
  }

  /** Splits an absolute reference into resource and fragment. */
  function resolve(reference: string, base: string, place: Place | undefined): readonly [resource: string, fragment: string] {
    if (reference.length > maxReference) refuse(place, `is longer than ${maxReference} characters. Shorten it.`);
    try {
      if (reference.startsWith("#")) return [base, decodeURIComponent(reference.slice(1))];
      const url = new URL(reference, base);
      const fragment = decodeURIComponent(url.hash.slice(1));
      url.hash = "";
      return [url.href.replace(/#$/, ""), fragment];
    } catch {
      return refuse(place, `is "${reference}", which isn't an address.`);
    }
  }

  function find(reference: string, base: string, place: Place | undefined): SchemaNode | boolean {
    const [resource, fragment] = resolve(reference, base, place);
    const start = resources.get(resource);
    if (start === undefined) {
      return refuse(place, `is "${reference}", outside of this schema. References are never fetched: copy what it means into $defs.`);
    }
    const target = fragment === "" ? start : fragment.startsWith("/") ? follow(start, fragment) : anchors.get(`${resource}#${fragment}`);
    if (!isSchema(target)) return refuse(place, `is "${reference}", but there is no schema at that place.`);
    // A place that no keyword leads to, such as OpenAPI's #/components/schemas, is a schema only because it is referred to.
    visit(target, placeOfPointer(fragment, start), resource);
    return target;
  }

  visit(root, undefined, defaultBase);
  for (const { node, keyword, place, base } of references) {
    const target = find(String(node[keyword]), base, place);
    if (keyword === "$ref") targets.set(node, target);
    else dynamic.set(node, { target, name: dynamicName(node[keyword], target) });
  }
  if (targets.size > 0) refuseEndless(seen, targets, refuse);
  if (dynamic.size > 0) {
    return { draft07, targets, beyondEngine: true, dynamic: { references: dynamic, anchors, resources: bases } };
  }
  if (targets.size > 0 || beyondEngine) return { draft07, targets, beyondEngine };
  return draft07 ? plainDraft07 : plainDocument;
}

function readDialect(dialect: unknown, refuse: Refuse): boolean {
  if (dialect === undefined) return false;
  const match = typeof dialect === "string" ? dialects.exec(dialect) : null;
  if (match === null) {
    return refuse(
      { parent: undefined, key: "$schema" },
      `is ${JSON.stringify(dialect)}, an unknown dialect. Use draft-07 or 2020-12, or leave $schema out.`,
    );
  }
  return match[1] !== undefined;
}

/** The name that a `$dynamicRef` looks for in other resources, if it leads to a dynamic anchor. */
function dynamicName(reference: unknown, target: SchemaNode | boolean): string | undefined {
  const name = isRecord(target) ? target.$dynamicAnchor : undefined;
  return typeof name === "string" && String(reference).endsWith(`#${name}`) ? name : undefined;
}

const isBeyondEngine = (node: SchemaNode): boolean =>
  declaresInheritedName(node) ||
  node.unevaluatedItems !== undefined ||
  node.unevaluatedProperties !== undefined ||
  (isRecord(node.patternProperties) && Object.keys(node.patternProperties).some((source) => !safePattern(source).plain));

/** The engine looks properties up with `in`; it does so safely for `__proto__` and `constructor` alone. */
const isInherited = (name: string): boolean => name in Object.prototype && name !== "__proto__" && name !== "constructor";

const keywordsWithNames = ["properties", "dependencies", "dependentRequired", "dependentSchemas"] as const;

function declaresInheritedName(node: SchemaNode): boolean {
  for (const key of keywordsWithNames) {
    const map = node[key];
    if (!isRecord(map)) continue;
    for (const name of Object.keys(map))
      if (isInherited(name) || (key !== "properties" && namesIn(map[name]).some(isInherited))) return true;
  }
  return namesIn(node.required).some(isInherited);
}

const namesIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []);

/** Follows a JSON pointer through own properties. */
function follow(start: unknown, pointer: string): unknown {
  let place = start;
  for (const token of pointer.split("/").slice(1)) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return undefined;
    place = (place as Record<string, unknown>)[key];
  }
  return place;
}

/** A schema that leads back to itself without going into the value (`{"$ref": "#"}`) would be read for ever. */
function refuseEndless(nodes: Iterable<SchemaNode>, targets: ReadonlyMap<SchemaNode, SchemaNode | boolean>, refuse: Refuse): void {
  const done = new Set<SchemaNode>();
  const open = new Set<SchemaNode>();
  const visit = (node: unknown): void => {
    if (!isRecord(node) || done.has(node)) return;
    if (open.has(node)) refuse(undefined, `leads back to itself for ever through ${JSON.stringify(node.$ref ?? node).slice(0, 60)}.`);
    open.add(node);
    visit(targets.get(node));
    for (const key of inPlaceKeywords) {
      const kind = subschemaKeywords.get(key);
      if (kind !== undefined && node[key] !== undefined) eachSubschema(kind, node[key], { parent: undefined, key }, visit);
    }
    open.delete(node);
    done.add(node);
  };
  for (const node of nodes) visit(node);
}
