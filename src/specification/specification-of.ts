import { SchemaError } from "../schema/index.js";
import { describeValue } from "../schema/internal.js";
import type { ToolClass } from "../tool/index.js";
import { isToolClass } from "../tool/internal.js";
import { printTypeSignature, typeSignatureOf } from "./gram/index.js";
import { SpecificationError } from "./specification-error.js";
import { createToolSpecification, type ToolSpecification } from "./tool-specification.js";

/**
 * Returns the specification of a tool class. Keywords of its schema are written into the records of the type signature.
 *
 * ```ts
 * specificationOf(WeatherTool).typeSignature;
 * // (::Text {paramName:"city", description:"The city name"})==>(::String)
 * ```
 *
 * The return type is that of `@returns`, by default `String`. Throws `SpecificationError` if a type signature can't express the
 * schema. See docs/10-specifications-and-gram.md.
 */
export function specificationOf(toolClass: ToolClass): ToolSpecification {
  if (!isToolClass(toolClass)) {
    throw new SpecificationError(
      `specificationOf takes a tool class, got ${describeValue(toolClass)}. Write specificationOf(WeatherTool).`,
    );
  }
  const { name, description, parametersSchema, outputSchema } = toolClass.definition;
  try {
    return createToolSpecification(name, description, printTypeSignature(typeSignatureOf(parametersSchema, outputSchema)));
  } catch (error) {
    if (error instanceof SchemaError)
      throw new SpecificationError(`${toolClass.name} can't be specified: ${error.message}`, { cause: error });
    throw error;
  }
}
