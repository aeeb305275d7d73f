import { acceptSchema } from "../accept-schema.js";
import { inheritanceFault } from "./arguments-value.js";
import { compileSchema } from "../validation/compile-schema.js";
import { describeFaults } from "../faults/fault.js";
import { fail, type Result, succeed } from "../result.js";
import { SchemaError } from "../schema-error.js";

/**
 * Validates arguments against a JSON Schema (`true` and `false` included) and fills in defaults. Nothing is repaired; the input
 * isn't changed.
 *
 * ```ts
 * validateToolArgs({ type: "object", required: ["city"] }, {}); // { ok: false, error: "city is required" }
 * ```
 *
 * An invalid schema is also returned as an error. See docs/json-schema.md.
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
