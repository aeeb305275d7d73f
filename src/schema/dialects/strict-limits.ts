import { isRecord, type SchemaNode } from "../keywords.js";

/** How much there is of what providers limit. */
export interface SchemaSize {
  properties: number;
  /** Levels of objects and lists, the root's counted. */
  depth: number;
  enumValues: number;
  /** Characters of names, listed values and constants. */
  characters: number;
  /** Listed texts where more than 250 stand in one list, the longest of such lists in characters. */
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
  const { type, anyOf, enum: values, properties, required, items, $defs: definitions } = node;
  size.depth = Math.max(size.depth, depth);
  if (Array.isArray(type) || anyOf !== undefined) size.unions += 1;
  if (Array.isArray(values)) measureList(values, size);
  if (Array.isArray(anyOf)) for (const branch of anyOf) measure(branch, depth, size);
  if (items !== undefined) measure(items, depth + 1, size);
  if (isRecord(properties)) {
    const names = Object.keys(properties);
    size.properties += names.length;
    size.optional += names.length - (Array.isArray(required) ? required.length : 0);
    measureNamed(properties, names, depth + 1, size);
  }
  if (isRecord(definitions)) measureNamed(definitions, Object.keys(definitions), depth, size);
}

function measureNamed(schemas: SchemaNode, names: readonly string[], depth: number, size: SchemaSize): void {
  for (const name of names) {
    size.characters += name.length;
    measure(schemas[name], depth, size);
  }
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
