import { printable } from "../redaction/internal.js";

/**
 * A schema that can't be taken in: it is no valid JSON Schema, or an engine could not honour it.
 *
 * The message names the owner (when known), the place as a JSON pointer, the value, the reason and the fix:
 * `weather: the schema at #/properties/days/type is "int", which is no type of JSON Schema. Write "integer".`
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
