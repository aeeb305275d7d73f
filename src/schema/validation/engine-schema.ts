import { type SchemaNode, type SubschemaKind, subschemaKeywords } from "../keywords.js";
import { isRecord } from "../type-guards.js";
import { setOwn } from "../../redaction/internal.js";
import { isMultiple } from "./multiple.js";
import { safePattern } from "../pattern/pattern.js";
import type { SchemaDocument } from "../schema-document.js";

/** A draft-07 `$ref` stands for its whole schema object; only these others keep a meaning there. */
const besideReference: ReadonlySet<string> = new Set(["$ref", "$schema", "$defs", "definitions"]);

/**
 * The form of a schema that the engine reads, or the schema itself if nothing changes:
 *
 * - Patterns that the engine must not run itself are replaced by safe ones, and unknown members are found without a pattern.
 * - `multipleOf` is judged by decimal digits.
 * - What stands beside a draft-07 `$ref` is gone.
 * - The target of a reference reports that it was `entered`.
 */
export function engineSchema(schema: SchemaNode, { draft07, targets }: SchemaDocument, entered: (target: SchemaNode) => void): unknown {
  const counted = new Set(targets.values());

  function rewrite(node: unknown, place: SubschemaKind): unknown {
    if (Array.isArray(node)) return mapIfChanged(node, (inner) => rewrite(inner, "one"));
    if (!isRecord(node)) return node;
    if (place === "map" || place === "mapOrNames")
      return rewriteEntries(node, (_, inner) => (isRecord(inner) ? rewrite(inner, "one") : inner));
    const bare = draft07 && node.$ref !== undefined;
    const names = bare ? undefined : closedNames(node);
    const kept = rewriteEntries(node, (key, inner) => {
      if (bare && !besideReference.has(key)) return undefined;
      if (key === "multipleOf" || (key === "additionalProperties" && names !== undefined)) return undefined;
      if (key === "pattern" && typeof inner === "string") return safePattern(inner).plain ? inner : safePattern(inner).expression;
      const innerPlace = subschemaKeywords.get(key);
      return innerPlace === undefined ? inner : rewrite(inner, innerPlace);
    });
    const { multipleOf } = node;
    const checks: Check[] = [];
    if (typeof multipleOf === "number" && !bare) checks.push((value) => typeof value !== "number" || isMultiple(value, multipleOf));
    if (names !== undefined) checks.push((value) => hasOnly(value, names));
    const rewritten = checks.length > 0 ? { ...kept, ...refinement(...checks) } : kept;
    if (!counted.has(node) || bare) return rewritten;
    const report = (): boolean => {
      entered(node);
      return true;
    };
    // Appended, so that references to the other members keep their places; read before anyOf, oneOf and if.
    return { ...rewritten, allOf: [...((rewritten.allOf as unknown[] | undefined) ?? []), refinement(report)] };
  }

  return targets.size === 0 && !needsRewriting(schema) ? schema : rewrite(schema, "one");
}

type Check = (value: unknown) => boolean;

/** How the engine is given checks of ours. */
const refinement = (...checks: readonly Check[]) => ({ "~refine": checks.map((check) => ({ check, error: () => "" })) });

/** The names that a closed object may have; `undefined` for an open one, or one with names by pattern. */
function closedNames({ additionalProperties, patternProperties, properties }: SchemaNode): ReadonlySet<string> | undefined {
  if (additionalProperties !== false || patternProperties !== undefined) return undefined;
  return new Set(isRecord(properties) ? Object.keys(properties) : []);
}

/** The engine's own check runs a regular expression of all names for each member. */
function hasOnly(value: unknown, names: ReadonlySet<string>): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return true;
  for (const name in value) if (!names.has(name) && Object.hasOwn(value, name)) return false;
  return true;
}

/** Most schemas don't, and are then not copied. */
function needsRewriting(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(needsRewriting);
  if (!isRecord(node)) return false;
  if (
    node.additionalProperties === false ||
    typeof node.multipleOf === "number" ||
    (typeof node.pattern === "string" && isUnsafe(node.pattern))
  )
    return true;
  return Object.values(node).some(needsRewriting);
}

/** A property may be called "pattern"; what it then holds is no text. Examples and defaults may hold anything. */
function isUnsafe(source: string): boolean {
  try {
    return !safePattern(source).plain;
  } catch {
    return false;
  }
}

function mapIfChanged(list: readonly unknown[], change: (value: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change);
  return changed.every((value, index) => value === list[index]) ? list : changed;
}

/** `undefined` drops the entry. */
function rewriteEntries(node: SchemaNode, change: (key: string, value: unknown) => unknown): SchemaNode {
  const result: Record<string, unknown> = {};
  let same = true;
  for (const key of Object.keys(node)) {
    const value = change(key, node[key]);
    same &&= value === node[key];
    if (value !== undefined) setOwn(result, key, value);
  }
  return same ? node : result;
}
