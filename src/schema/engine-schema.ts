import { isRecord, type SchemaNode, type SubschemaKind, setOwn, subschemaKeywords } from "./keywords.js";
import { safePattern } from "./pattern.js";
import type { SchemaDocument } from "./schema-document.js";

/** A draft-07 `$ref` stands for its whole schema object; only these others keep a meaning there. */
const besideReference: ReadonlySet<string> = new Set(["$ref", "$schema", "$defs", "definitions"]);

/**
 * The form of a schema that the engine reads: patterns that it must not run itself are replaced by safe ones, what stands
 * beside a draft-07 `$ref` is gone, and what references lead to reports that it was `entered`. The schema itself where nothing
 * changes.
 */
export function engineSchema(schema: SchemaNode, { draft07, targets }: SchemaDocument, entered: (target: SchemaNode) => void): unknown {
  const counted = new Set(targets.values());

  function rewrite(node: unknown, place: SubschemaKind): unknown {
    if (Array.isArray(node)) return mapIfChanged(node, (inner) => rewrite(inner, "one"));
    if (!isRecord(node)) return node;
    if (place === "map" || place === "mapOrNames")
      return rewriteEntries(node, (_, inner) => (isRecord(inner) ? rewrite(inner, "one") : inner));
    const bare = draft07 && node.$ref !== undefined;
    const rewritten = rewriteEntries(node, (key, inner) => {
      if (bare && !besideReference.has(key)) return undefined;
      if (key === "pattern" && typeof inner === "string") return safePattern(inner).plain ? inner : safePattern(inner).expression;
      const innerPlace = subschemaKeywords.get(key);
      return innerPlace === undefined ? inner : rewrite(inner, innerPlace);
    });
    if (!counted.has(node) || bare) return rewritten;
    const report = (): boolean => {
      entered(node);
      return true;
    };
    // Appended, so that references to the other members keep their places; read before anyOf, oneOf and if.
    const reporting = { "~refine": [{ check: report, error: () => "" }] };
    return { ...rewritten, allOf: [...((rewritten.allOf as unknown[] | undefined) ?? []), reporting] };
  }

  return targets.size === 0 && !hasUnsafePattern(schema) ? schema : rewrite(schema, "one");
}

/** Most schemas have none, and are then not copied. */
function hasUnsafePattern(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(hasUnsafePattern);
  if (!isRecord(node)) return false;
  if (typeof node.pattern === "string" && isUnsafe(node.pattern)) return true;
  return Object.values(node).some(hasUnsafePattern);
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
