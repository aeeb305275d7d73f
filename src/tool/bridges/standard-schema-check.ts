import {
  type Fault,
  fail,
  type JsonSchema,
  type Result,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
  succeed,
} from "../../schema/index.js";
import { memberPath } from "../definition/revival.js";
import { isPromiseLike } from "../is-promise-like.js";

/**
 * The JSON Schema (2020-12) of what a Standard Schema takes in, or of what it gives out, by the specification's Standard JSON Schema
 * extension (https://standardschema.dev/json-schema); undefined for a library that doesn't implement it.
 * Throws what the library throws if JSON Schema can't express the type, such as zod for `z.date()`.
 */
export function jsonSchemaOfStandard(schema: StandardSchema, side: "input" | "output" = "input"): JsonSchema | undefined {
  const generated = schema["~standard"].jsonSchema?.[side]({ target: "draft-2020-12" });
  if (generated === undefined) return undefined;
  const { $schema: _dialect, ...jsonSchema } = generated;
  return jsonSchema;
}

/** Validates: the schema's output, or all faults with their paths. A promise only if the schema answers with one. */
export function checkByStandard(
  schema: StandardSchema,
  value: unknown,
): Result<unknown, readonly Fault[]> | Promise<Result<unknown, readonly Fault[]>> {
  const result = schema["~standard"].validate(value);
  return isPromiseLike(result) ? Promise.resolve(result).then(resultOf) : resultOf(result);
}

const resultOf = (result: StandardResult<unknown>): Result<unknown, readonly Fault[]> =>
  result.issues === undefined ? succeed(result.value) : fail(result.issues.map(faultOf));

function faultOf({ message, path = [] }: StandardIssue): Fault {
  const keys = path.map((segment) => (typeof segment === "object" ? segment.key : segment));
  return {
    path: keys.reduce<string>((whole, key) => memberPath(whole, typeof key === "number" ? key : String(key)), ""),
    message: `is invalid: ${message.replace(/^Invalid input: /, "")}`,
    keyword: "standardSchema",
  };
}
