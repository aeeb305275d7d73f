import { acceptSchema } from "../accept-schema.js";
import { inheritanceFault } from "./arguments-value.js";
import { compileSchema } from "../validation/compile-schema.js";
import { describeFaults } from "../faults/fault.js";
import { fail, type Result, succeed } from "../result.js";
import { SchemaError } from "../schema-error.js";

/**
 * Validates arguments against any JSON Schema, `true` and `false` included. Defaults are
 * filled in, nothing is repaired, the arguments given are not changed. A schema that can't be taken in is an error as well.
 *
 * ```ts
 * validateToolArgs({ type: "object", required: ["city"] }, {}); // { ok: false, error: "city is required" }
 * ```
 */
export function validateToolArgs(schema: unknown, args: unknown): Result<unknown, string> {
  try {
    const accepted = acceptSchema(schema === true ? {} : schema === false ? { not: {} } : schema);
    const checked = compileSchema(accepted).validate(args, { owned: false, repair: false });
    if (!checked.ok) return fail(describeFaults(checked.error));
    const fault = inheritanceFault(args);
    return fault === undefined ? succeed(checked.value) : fail(fault);
  } catch (error) {
    if (error instanceof SchemaError) return fail(error.message);
    throw error;
  }
}
