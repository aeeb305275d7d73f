import type { Fault, Repair } from "../faults/fault.js";
import type { JsonSchema } from "../json-schema.js";

/** How a value is read against a schema. */
export interface ValidateOptions {
  /** The value belongs to the validator (it was just parsed), so defaults and repairs may be written into it. */
  readonly owned: boolean;
  /** Tries repairs that lose no meaning if a value doesn't fit. */
  readonly repair: boolean;
  /** About how long the value is as JSON text, if that is known; otherwise it is measured. Only for values without inherited members. */
  readonly size?: number;
}

export type Validated =
  | { readonly ok: true; readonly value: unknown; readonly repairs?: readonly Repair[] }
  | { readonly ok: false; readonly error: readonly Fault[] };

/** A schema made ready: compiled on first use, then one call per value. */
export interface SchemaValidator {
  readonly schema: JsonSchema;
  /** Applies defaults as fresh copies, checks, and on failure collects every fault with its path. Never throws for bad values. */
  validate(value: unknown, options: ValidateOptions): Validated;
}
