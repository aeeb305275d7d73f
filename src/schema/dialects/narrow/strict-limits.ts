import type { SchemaNode } from "../../keywords.js";
import { isRecord } from "../../type-guards.js";

/** How much there is of what providers limit. */
export interface SchemaSize {
  properties: number;
  /** Levels of objects and lists, the root's counted. */
  depth: number;
  enumValues: number;
  /** Characters of names, listed values and constants. */
  characters: number;
  /** Of lists with more than 250 texts, the length of the longest in characters. */
  longestList: number;
  /** Properties that needn't be given. */
  optional: number;
  /** Properties with more than one type, or with `anyOf`. */
  unions: number;
}

export function sizeOf(schema: SchemaNode): SchemaSize {
  const size: SchemaSize = { properties: 0, depth: 0, enumValues: 0, characters: 0, longestList: 0, optional: 0, unions: 0 };
  measure(schema, 1, size);
  return size;
}

/** Strict schemas hold schemas in these places alone. */
function measure(node: unknown, depth: number, size: SchemaSize): void {
  if (!isRecord(node)) return;
  size.depth = Math.max(size.depth, depth);
  // By the keywords that are there: most aren't, and to ask for each of them takes several times as long.
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (key === "type") size.unions += Array.isArray(value) ? 1 : 0;
    else if (key === "enum") measureList(value as readonly unknown[], size);
    else if (key === "items") measure(value, depth + 1, size);
    else if (key === "required") size.optional -= (value as readonly unknown[]).length;
    else if (key === "$defs") measureNamed(value as SchemaNode, depth, size);
    else if (key === "anyOf") {
      size.unions += 1;
      for (const branch of value as readonly unknown[]) measure(branch, depth, size);
    } else if (key === "properties") {
      const count = measureNamed(value as SchemaNode, depth + 1, size);
      size.properties += count;
      size.optional += count;
    }
  }
}

/** Gives how many there are. */
function measureNamed(schemas: SchemaNode, depth: number, size: SchemaSize): number {
  const names = Object.keys(schemas);
  for (const name of names) {
    size.characters += name.length;
    measure(schemas[name], depth, size);
  }
  return names.length;
}

function measureList(values: readonly unknown[], size: SchemaSize): void {
  const characters = values.reduce((sum: number, value) => sum + String(value).length, 0);
  size.enumValues += values.length;
  size.characters += characters;
  if (values.length > 250) size.longestList = Math.max(size.longestList, characters);
}

/** Why OpenAI's strict mode doesn't take a schema of a size ("Structured Outputs", "Supported schemas"). */
export function openAiLimit({ properties, depth, enumValues, characters, longestList }: SchemaSize): string | undefined {
  if (properties > 5_000) return "it has more than 5,000 properties";
  // The levels that the guide counts are those of objects; to count lists too is on the safe side.
  if (depth > 11) return "it is nested more than 10 levels deep";
  if (enumValues > 1_000) return "it lists more than 1,000 values";
  if (characters > 120_000) return "its names and listed values have more than 120,000 characters";
  return longestList > 15_000 ? "one of its lists of more than 250 texts has more than 15,000 characters" : undefined;
}
