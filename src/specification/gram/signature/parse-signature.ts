import { fail, type JsonSchema, type Result, succeed } from "../../../schema/index.js";
import { GramError } from "../gram-error.js";
import { parseGram } from "../parse-gram.js";
import { readTypeSignature } from "./read-signature.js";
import { parametersSchemaOf, type TypeSignature } from "./type-signature.js";

/**
 * Reads a type signature in gram notation. Returns it, or an error message with line, column and excerpt.
 *
 * ```ts
 * const signature = parseTypeSignature("(name::Text)==>(age::Int {default:18})==>(::String)");
 * if (signature.ok) console.log(signature.value.parameters.map(({ name }) => name)); // prints: [ 'name', 'age' ]
 * ```
 *
 * See docs/10-specifications-and-gram.md.
 */
export function parseTypeSignature(text: string): Result<TypeSignature, string> {
  try {
    return succeed(readTypeSignature(parseGram(text, { typeSignatures: true }), text));
  } catch (error) {
    if (error instanceof GramError) return fail(error.message);
    throw error;
  }
}

/**
 * Converts a type signature in gram notation to the JSON Schema of its arguments.
 *
 * ```ts
 * const schema = typeSignatureToJSONSchema('(::Text {paramName:"name"})==>(::String)');
 * if (schema.ok) console.log(JSON.stringify(schema.value));
 * // prints: {"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}
 * ```
 *
 * See docs/10-specifications-and-gram.md.
 */
export function typeSignatureToJSONSchema(text: string): Result<JsonSchema, string> {
  const signature = parseTypeSignature(text);
  return signature.ok ? succeed(parametersSchemaOf(signature.value)) : signature;
}
