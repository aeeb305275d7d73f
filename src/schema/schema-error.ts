import { printable } from "../redaction/internal.js";

/**
 * An invalid or unsupported JSON Schema.
 *
 * The message has the owner (if known), the place as a JSON pointer, the value, the reason and the fix:
 * `weather: the schema at #/properties/days/type is "int", which isn't a type of JSON Schema. Write "integer".` See docs/errors.md.
 */
export class SchemaError extends Error {
  override readonly name = "SchemaError";

  constructor(
    message: string,
    /** Where in the schema, as a JSON pointer: `#/properties/days`. */
    readonly pointer: string,
  ) {
    super(printable(message));
  }
}
