import type { JsonSchema, JsonValue } from "../../schema/index.js";
import { meaningfulStems, tokenize } from "./sentence-words.js";

/** A leaf of the parameters' schema: a value that can be read from a sentence. */
export interface Parameter {
  /** Names from the root: `["order", "city"]`. */
  readonly path: readonly string[];
  readonly schema: JsonSchema;
  readonly type: "string" | "number" | "integer" | "boolean" | "array" | "object";
  readonly required: boolean;
  /** Stems of the words of its name, then of its description if they aren't in its name. */
  readonly nameWords: readonly string[];
  readonly descriptionWords: readonly string[];
  readonly description: string;
  /** The allowed values, if the schema lists them. */
  readonly values: readonly JsonValue[];
  /** Values that its description gives as examples, in quotation marks. */
  readonly examples: readonly string[];
}

/** Deeper objects are not read, so that a schema that refers to itself ends. */
const deepest = 4;

/** The leaves of an object schema, in order; the members of nested objects one by one. */
export function parametersOf(schema: JsonSchema, root = schema, path: readonly string[] = [], required = true): Parameter[] {
  const needed = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const own = resolved(property, root);
    const isNeeded = required && needed.has(name);
    const isNested = own.properties !== undefined && typeOf(own) === "object" && path.length < deepest;
    return isNested ? parametersOf(own, root, [...path, name], isNeeded) : [toParameter(own, [...path, name], isNeeded)];
  });
}

/** A schema behind a reference into `$defs`, or the first alternative that isn't null. A few steps, so that a circle ends. */
function resolved(schema: JsonSchema | boolean, root: JsonSchema, steps = 4): JsonSchema {
  if (typeof schema === "boolean") return {};
  const name = /^#\/\$defs\/([^/]+)$/.exec(schema.$ref ?? "")?.[1];
  const alternatives = schema.type === undefined ? (schema.anyOf ?? schema.oneOf ?? []) : [];
  const inner = name === undefined ? alternatives.find((one) => typeof one === "object" && one.type !== "null") : root.$defs?.[name];
  return inner === undefined || steps === 0 ? schema : { ...resolved(inner, root, steps - 1), ...withoutReference(schema) };
}

const withoutReference = ({ $ref: _reference, ...rest }: JsonSchema): JsonSchema => rest;

function toParameter(schema: JsonSchema, path: readonly string[], required: boolean): Parameter {
  const description = typeof schema.description === "string" ? schema.description : "";
  // The digits of `num1` and `num2` are no words: "two numbers" doesn't point to the second.
  const nameWords = tokenize(path.at(-1) ?? "")
    .filter((token) => !/\d/.test(token.text))
    .map((token) => token.stem);
  const items = typeof schema.items === "object" && "type" in schema.items ? schema.items : {};
  return {
    path,
    schema,
    type: typeOf(schema),
    required,
    nameWords,
    descriptionWords: meaningfulStems(description).filter((word) => !nameWords.includes(word)),
    description,
    values: schema.enum ?? items.enum ?? [],
    examples: [...description.matchAll(/['"‘“]([^'"’”]{1,40})['"’”]/g)].map((match) => match[1] ?? ""),
  };
}

/** The first type that isn't null; a schema that says none takes text. */
export function typeOf(schema: JsonSchema): Parameter["type"] {
  const [first = "string"] = [schema.type ?? []].flat().filter((type): type is Parameter["type"] => type !== "null");
  return first;
}
