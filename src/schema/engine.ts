import { Compile } from "typebox/schema";
import type { JsonSchema } from "./json-schema.js";

/** The compiled form of one schema. */
export interface Engine {
  check(value: unknown): boolean;
  /** The engine's own errors; slow, for what the fault walk can't explain. */
  errors(value: unknown): readonly { readonly instancePath: string; readonly keyword: string; readonly message: string }[];
}

/** Compiles a schema. The only importer of the validation library. */
export function createEngine(schema: JsonSchema | boolean): Engine {
  const validator = Compile(schema);
  return {
    check: (value) => validator.Check(value),
    errors: (value) => validator.Errors(value)[1],
  };
}
