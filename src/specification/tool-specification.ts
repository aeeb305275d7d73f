import type { JsonSchema } from "../schema/index.js";
import { freezeDeep } from "../schema/internal.js";
import { ToolDefinitionError } from "../tool/index.js";
import { checkName } from "../tool/internal.js";
import { typeSignatureToJSONSchema } from "./gram/index.js";
import { SpecificationError } from "./specification-error.js";

/**
 * A tool without its implementation, as plain, frozen JSON: `JSON.stringify` of it is its JSON format
 * (seed 001, "ToolSpecification Serialization").
 */
export interface ToolSpecification {
  /** The name of the tool that implements it. */
  readonly name: string;
  readonly description: string;
  /** In gram, curried: `(::Text {paramName:"name"})==>(::String)`. */
  readonly typeSignature: string;
  /** The JSON Schema of the arguments, made from the type signature. */
  readonly schema: JsonSchema;
}

/**
 * Describes a tool without implementing it (seed 001, "createToolSpecification"). Throws `SpecificationError` for an empty
 * name or description, and for a type signature that can't be read, with the place in it.
 *
 * ```ts
 * const sayHello = createToolSpecification(
 *   "sayHello",
 *   "Returns a friendly greeting message for the given name",
 *   '(::Text {paramName:"name"})==>(::String)',
 * );
 * console.log(sayHello.schema.required); // prints: [ 'name' ]
 * ```
 */
export function createToolSpecification(name: string, description: string, typeSignature: string): ToolSpecification {
  const checked = readName(name);
  if (typeof description !== "string" || description.trim() === "") {
    throw new SpecificationError(`The specification "${checked}" has no description, so that no model can know when to use the tool.`);
  }
  if (typeof typeSignature !== "string") {
    throw new SpecificationError(`The specification "${checked}": its type signature must be a text, got ${String(typeSignature)}.`);
  }
  const schema = typeSignatureToJSONSchema(typeSignature);
  if (!schema.ok) throw new SpecificationError(`The type signature of "${checked}" can't be read: ${schema.error}`);
  return Object.freeze({ name: checked, description, typeSignature, schema: freezeDeep(schema.value) });
}

/** Told by its type signature: no tool class and no toolbox has one. */
export const isToolSpecification = (value: unknown): value is ToolSpecification =>
  typeof value === "object" && value !== null && typeof (value as Partial<ToolSpecification>).typeSignature === "string";

function readName(name: unknown): string {
  if (typeof name !== "string" || name.trim() === "") {
    throw new SpecificationError("The name of a tool specification is empty. Give it the name of the tool that implements it.");
  }
  try {
    return checkName(name, "A tool specification");
  } catch (error) {
    if (error instanceof ToolDefinitionError) throw new SpecificationError(error.message, { cause: error });
    throw error;
  }
}
