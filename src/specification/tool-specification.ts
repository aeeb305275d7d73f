import type { JsonSchema } from "../schema/index.js";
import { describeValue, freezeDeep } from "../schema/internal.js";
import { ToolDefinitionError } from "../tool/index.js";
import { checkName as checkToolName } from "../tool/internal.js";
import { GramError, parametersSchemaOf, parseGram, readTypeSignature, type TypeSignature } from "./gram/index.js";
import { SpecificationError } from "./specification-error.js";

/**
 * A tool without its implementation, as frozen JSON. Made by `createToolSpecification` or `specificationOf`. See
 * docs/10-specifications-and-gram.md.
 */
export interface ToolSpecification {
  /** The name of the tool that implements it. */
  readonly name: string;
  /** The description that models read. */
  readonly description: string;
  /** The type signature in gram notation: `(::Text {paramName:"name"})==>(::String)`. */
  readonly typeSignature: string;
  /** The JSON Schema of the arguments, derived from the type signature. */
  readonly schema: JsonSchema;
}

/**
 * Describes a tool without implementing it.
 *
 * ```ts
 * const sayHello = createToolSpecification(
 *   "sayHello",
 *   "Returns a friendly greeting message for the given name",
 *   '(::Text {paramName:"name"})==>(::String)',
 * );
 * console.log(sayHello.schema.required); // prints: [ 'name' ]
 * ```
 *
 * Throws `SpecificationError` for an empty name or description, and for an invalid type signature, with the place in it. See
 * docs/10-specifications-and-gram.md.
 */
export function createToolSpecification(name: string, description: string, typeSignature: string): ToolSpecification {
  return specify(name, description, typeSignature, () => readAlone(name, typeSignature));
}

/** The specification of a type signature that `read` gives, once name and description are found to be right. */
export function specify(name: string, description: string, typeSignature: string, read: () => TypeSignature): ToolSpecification {
  checkName(name);
  if (typeof description !== "string" || description.trim() === "") {
    throw new SpecificationError(`The specification "${name}" has no description, so that no model can know when to use the tool.`);
  }
  return Object.freeze({ name, description, typeSignature, schema: freezeDeep(parametersSchemaOf(read())) });
}

function readAlone(name: string, typeSignature: string): TypeSignature {
  if (typeof typeSignature !== "string") {
    throw new SpecificationError(`The specification "${name}": its type signature must be a string, got ${String(typeSignature)}.`);
  }
  try {
    return readTypeSignature(parseGram(typeSignature, { typeSignatures: true }), typeSignature);
  } catch (error) {
    if (!(error instanceof GramError)) throw error;
    throw new SpecificationError(`The type signature of "${name}" can't be read: ${error.message}`, { place: error });
  }
}

/** Recognised by its type signature: no tool class and no toolbox has one. */
export const isToolSpecification = (value: unknown): value is ToolSpecification =>
  typeof value === "object" && value !== null && typeof (value as Partial<ToolSpecification>).typeSignature === "string";

/** Refuses what is no specification. `owner` begins the message. */
export function checkSpecification(value: unknown, owner: string): void {
  if (isToolSpecification(value)) return;
  throw new SpecificationError(
    `${owner}: a tool specification is needed, got ${describeValue(value)}. Make one with createToolSpecification, or of a class with specificationOf.`,
  );
}

function checkName(name: unknown): void {
  if (typeof name !== "string" || name.trim() === "") {
    throw new SpecificationError("The name of a tool specification is empty. Give it the name of the tool that implements it.");
  }
  try {
    checkToolName(name, "A tool specification");
  } catch (error) {
    if (error instanceof ToolDefinitionError) throw new SpecificationError(error.message, { cause: error });
    throw error;
  }
}
