import { annotationKeywords, constraintOf, isRecord, subschemaKeywords } from "../../../schema/internal.js";
import { nearestName } from "../../../tool/internal.js";

/** What is wrong with a keyword, and the keys and indices that lead to it from the schema. */
export interface KeywordProblem {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

/** The keywords of draft-07 and 2020-12, and those of older drafts that tools still write. */
const keywords: ReadonlySet<string> = new Set([
  ...["type", "enum", "const", ...annotationKeywords, ...constraintOf.keys(), ...subschemaKeywords.keys()],
  ...["$schema", "$id", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary", "id", "$recursiveRef", "$recursiveAnchor"],
]);

/** Keywords that are for people and models, whose values `acceptSchema` doesn't look at. */
const texts: ReadonlySet<string> = new Set(["title", "description", "$comment"]);

/**
 * The first keyword of a schema, at any depth, that says nothing because JSON Schema has none of that name, or because its value
 * is of the wrong kind. Names that begin with `x-` are anybody's, as in the next version of JSON Schema. `others` are the keys that a
 * signature knows besides, which may have been meant.
 */
export function keywordProblem(schema: unknown, others: ReadonlySet<string> = new Set()): KeywordProblem | undefined {
  if (!isRecord(schema)) return undefined;
  for (const [keyword, value] of Object.entries(schema)) {
    const reason = reasonAgainst(keyword, value, others);
    if (reason !== undefined) return { path: [keyword], reason };
    if (!subschemaKeywords.has(keyword)) continue;
    const within = subschemaKeywords.get(keyword)?.startsWith("map") ? problemWithin(value) : problemOf(value);
    if (within !== undefined) return { ...within, path: [keyword, ...within.path] };
  }
  return undefined;
}

/** Of a schema, or of a list of schemas. */
const problemOf = (value: unknown): KeywordProblem | undefined => (Array.isArray(value) ? problemWithin(value) : keywordProblem(value));

/** Of schemas in a map or list; lists of names, as in `dependencies`, have none. */
function problemWithin(schemas: unknown): KeywordProblem | undefined {
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(schemas)
    ? [...schemas.entries()]
    : Object.entries(isRecord(schemas) ? schemas : {});
  for (const [key, schema] of entries) {
    const problem = keywordProblem(schema);
    if (problem !== undefined) return { ...problem, path: [key, ...problem.path] };
  }
  return undefined;
}

function reasonAgainst(keyword: string, value: unknown, others: ReadonlySet<string>): string | undefined {
  if (keyword.startsWith("x-")) return undefined;
  if (!keywords.has(keyword)) {
    const meant = nearestName(keyword, [...others, ...keywords]);
    const fix = meant === undefined ? 'Keywords of your own begin with "x-".' : `Did you mean "${meant}"?`;
    return `"${keyword}" isn't a keyword of JSON Schema. ${fix}`;
  }
  if (texts.has(keyword) && typeof value !== "string") return `${keyword} is ${JSON.stringify(value)}, but must be a string.`;
  if (keyword === "examples" && !Array.isArray(value)) return `examples is ${JSON.stringify(value)}, but must be a list.`;
  return undefined;
}
