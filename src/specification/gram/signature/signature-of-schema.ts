import { acceptSchema, type JsonSchema, SchemaError } from "../../../schema/index.js";
import { hasFittingDefault } from "./fitting-default.js";
import { keywordProblem } from "./keyword-problem.js";
import { forbidden, forbiddenName } from "./signature-types.js";
import type { SignatureParameter, TypeSignature } from "./type-signature.js";
import { signatureKeys } from "./write-signature.js";

/**
 * Converts a JSON Schema, such as that of a tool class, to a type signature: each property becomes a parameter with its keywords.
 *
 * ```ts
 * const signature = typeSignatureOf({ type: "object", properties: { age: { type: "integer", minimum: 0 } } });
 * console.log(printTypeSignature(signature)); // prints: (::Int {paramName:"age", optional:true, minimum:0})==>(::String)
 * ```
 *
 * `$schema`, and a boolean `additionalProperties` of the root, are left out. Throws `SchemaError` for an invalid schema, and for
 * one that a signature can't express, such as `anyOf` at the root. See docs/10-specifications-and-gram.md.
 */
export function typeSignatureOf(parametersSchema: JsonSchema, outputSchema: JsonSchema = { type: "string" }): TypeSignature {
  const { type, properties = {}, required = [], $defs: definitions, ...others } = acceptSchema(parametersSchema);
  if (type !== "object") throw cannot("type", `is ${JSON.stringify(type) ?? "absent"}`, 'A tool takes an object: write "object".');
  for (const keyword of Object.keys(others)) {
    const isLeftOut = keyword === "$schema" || (keyword === "additionalProperties" && typeof others.additionalProperties === "boolean");
    if (!isLeftOut) throw cannot(keyword, "is about all parameters together", "A signature describes each by itself.");
  }
  const unknown = required.find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined) throw cannot("required", `names "${unknown}"`, "It isn't one of the properties.");

  const parameters = Object.entries(properties).map(([name, schema]): SignatureParameter => {
    const place = `properties/${name}`;
    if (name === "") throw cannot(place, "has an empty name", "Give the property a name.");
    if (name === forbiddenName)
      throw new SchemaError(`The schema can't be written as a type signature, at #/${place}: ${forbidden}`, `#/${place}`);
    if (typeof schema === "object" && schema.$defs !== undefined) throw cannot(`${place}/$defs`, "stands inside", "Move it to the root.");
    return { name, schema: checked(schema, place), required: required.includes(name) };
  });
  const returns = checked(acceptSchema(outputSchema), "output");
  refuseUnknownKeywords({ $defs: definitions }, "");
  if (definitions === undefined || parameters.length === 0) return { parameters, returns };
  return { parameters, returns, definitions };
}

function checked(schema: JsonSchema | boolean, place: string): JsonSchema {
  if (typeof schema === "boolean") throw cannot(place, `is ${schema}`, "Write {} to allow anything.");
  if (!hasFittingDefault(schema))
    throw cannot(`${place}/default`, `is ${JSON.stringify(schema.default)}`, "Its own schema doesn't take it.");
  const reserved = Object.keys(schema).find((key) => signatureKeys.has(key));
  if (reserved !== undefined)
    throw cannot(`${place}/${reserved}`, "has another meaning in a signature", "Take it away: it isn't a keyword of JSON Schema.");
  refuseUnknownKeywords(schema, `${place}/`);
  return schema;
}

/** What `parseTypeSignature` would refuse. */
function refuseUnknownKeywords(schema: unknown, place: string): void {
  const problem = keywordProblem(schema);
  if (problem === undefined) return;
  const pointer = `#/${place}${problem.path.join("/")}`;
  throw new SchemaError(`The schema can't be written as a type signature, at ${pointer}: ${problem.reason}`, pointer);
}

function cannot(place: string, reason: string, fix: string): SchemaError {
  const pointer = `#/${place}`;
  return new SchemaError(`The schema can't be written as a type signature: ${pointer} ${reason}. ${fix}`, pointer);
}
