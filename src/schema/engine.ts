import { Compile } from "typebox/schema";
import { Budget, engineSchema } from "./engine-schema.js";
import type { JsonSchema } from "./json-schema.js";
import { isRecord, setOwn } from "./keywords.js";
import { plainDocument, type SchemaDocument } from "./schema-document.js";

export interface EngineError {
  /** JSON pointer into the value: `/items/1/price`. */
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
}

/** The compiled form of one schema. */
export interface Engine {
  /** @throws TooComplexError, and RangeError for a value nested deeper than the stack. */
  readonly check: (value: unknown) => boolean;
  /** The library's own errors: slow, for faults that the fault walk does not know. */
  readonly errors: (value: unknown) => readonly EngineError[];
}

/** Property names longer than this are not tested against `patternProperties` that take quadratic time. */
const maxNameLength = 1_000;

/** How often one check may follow a reference. */
const maxReferences = 200_000;

/** Compiles a schema that was taken in. This is the only importer of the validation library. */
export function createEngine(schema: JsonSchema, document: SchemaDocument): Engine {
  const budget = new Budget(maxReferences);
  // The library's type of a schema is wider than ours; any object is one.
  const validator = Compile(engineSchema(schema, document, budget) as object);
  const library: Engine = {
    check: (value) => validator.Check(value),
    errors: (value) =>
      validator.Errors(value)[1].map(({ instancePath, keyword, message }) => ({ pointer: instancePath, keyword, message })),
  };
  if (document.targets.size === 0 && !document.inheritedNames && !document.slowNames) return library;

  const prepare = (value: unknown): unknown => {
    budget.restart();
    return document.inheritedNames ? withoutPrototypes(value) : value;
  };
  return {
    check: (value) => !(document.slowNames && hasLongName(value)) && library.check(prepare(value)),
    errors: (value) =>
      document.slowNames && hasLongName(value)
        ? [{ pointer: "", keyword: "patternProperties", message: `has a property name of more than ${maxNameLength} characters` }]
        : library.errors(prepare(value)),
  };
}

const formatEngines = new Map<string, Engine>();

const maxFormatEngines = 100;

/** Whether a text has a format; true for formats that nobody knows. */
export function hasFormat(text: string, format: string): boolean {
  let engine = formatEngines.get(format);
  if (engine === undefined) {
    engine = createEngine({ format }, plainDocument);
    if (formatEngines.size < maxFormatEngines) formatEngines.set(format, engine);
  }
  return engine.check(text);
}

/** A copy whose objects inherit nothing, so that `"toString" in value` asks for a property of the value's own. */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value)) setOwn(copy, key, withoutPrototypes(value[key]));
  return copy;
}

function hasLongName(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasLongName);
  return isRecord(value) && Object.keys(value).some((key) => key.length > maxNameLength || hasLongName(value[key]));
}
