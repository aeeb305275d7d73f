import { acceptSchema } from "./accept-schema.js";
import { compileSchema } from "./compile-schema.js";
import { describeFaults } from "./fault.js";
import { fail, type Result, succeed } from "./result.js";

/** Validates arguments against a schema (seed 001, "Parameter Validation"). */
export function validateToolArgs(schema: unknown, args: unknown): Result<unknown, string> {
  const checked = compileSchema(acceptSchema(schema)).validate(args, { owned: false, repair: false });
  return checked.ok ? succeed(checked.value) : fail(describeFaults(checked.error));
}
