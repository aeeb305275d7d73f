import { Build } from "typebox/schema";
import { engineSchema } from "./engine-schema.js";
import { codeSizeOf, maxCodeSize, sizeOf, weightOf } from "./engine-work.js";
import type { JsonSchema } from "../json-schema.js";
import type { SchemaNode } from "../keywords.js";
import type { SchemaDocument } from "../schema-document.js";
import { TooCostlyError } from "../work-budget.js";

/** Whether a value fits a schema; `undefined` if the engine could take too long. Throws RangeError for a value nested too deeply. */
export type Engine = (value: unknown, size?: number) => boolean | undefined;

/** What the weight of a schema times the size of a value may be. */
const maxEngineWork = 10_000_000;

/**
 * Compiles a schema that was taken in, if the engine can judge it in bounded time. This is the only importer of the validation
 * library.
 */
export function createEngine(schema: JsonSchema, document: SchemaDocument): Engine | undefined {
  if (document.beyondEngine || codeSizeOf(schema) > maxCodeSize) return undefined;
  const weight = weightOf(schema);
  const largest = maxEngineWork / weight;
  if (document.targets.size === 0) {
    const check = compile(schema, document, () => undefined);
    return (value, size) => ((size ?? sizeOf(value, largest)) > largest ? undefined : check(value));
  }
  const weights = new Map<SchemaNode, number>();
  let left = 0;
  const check = compile(schema, document, (target) => {
    let targetWeight = weights.get(target);
    if (targetWeight === undefined) weights.set(target, (targetWeight = weightOf(target)));
    left -= targetWeight;
    if (left < 0) throw new TooCostlyError();
  });
  return (value, known) => {
    const size = known ?? sizeOf(value, largest);
    if (size > largest) return undefined;
    left = maxEngineWork / size;
    try {
      return check(value);
    } catch (error) {
      if (error instanceof TooCostlyError) return undefined;
      throw error;
    }
  };
}

function compile(schema: JsonSchema, document: SchemaDocument, entered: (target: SchemaNode) => void): (value: unknown) => boolean {
  // The library's type of a schema is wider than ours; any object is one.
  const validator = Build(engineSchema(schema, document, entered) as object).Evaluate();
  return (value) => validator.Check(value);
}

const formats = new Map<string, (text: string) => boolean>();

const maxFormats = 100;

/** Whether a text has a format. True for unknown formats. */
export function hasFormat(text: string, format: string): boolean {
  let check = formats.get(format);
  if (check === undefined) {
    const validator = Build({ format }).Evaluate();
    check = (value) => validator.Check(value);
    if (formats.size < maxFormats) formats.set(format, check);
  }
  return check(text);
}
