import { createEngine, type Engine } from "./engine.js";
import type { JsonSchema } from "./json-schema.js";
import type { SchemaValidator } from "./validator.js";

const validators = new WeakMap<JsonSchema, SchemaValidator>();

/** The validator of a schema: one per schema object, compiled on first use. */
export function compileSchema(schema: JsonSchema): SchemaValidator {
  let validator = validators.get(schema);
  if (validator === undefined) {
    let engine: Engine | undefined;
    validator = {
      schema,
      validate(value) {
        engine ??= createEngine(schema);
        if (engine.check(value)) return { ok: true, value };
        return {
          ok: false,
          error: engine.errors(value).map(({ instancePath, keyword, message }) => ({ path: instancePath, keyword, message })),
        };
      },
    };
    validators.set(schema, validator);
  }
  return validator;
}
