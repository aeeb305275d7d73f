import { SchemaError } from "../schema/index.js";
import { describeValue } from "../schema/internal.js";
import type { ToolClass } from "../tool/index.js";
import { isToolClass } from "../tool/internal.js";
import { printTypeSignature, typeSignatureOf } from "./gram/index.js";
import { SpecificationError } from "./specification-error.js";
import { createToolSpecification, type ToolSpecification } from "./tool-specification.js";

/**
 * The specification of a tool class, to which the class itself binds. What its schema says beyond types stands in the records
 * of the type signature; the return type is what `@returns` says, else `String`.
 *
 * ```ts
 * specificationOf(WeatherTool).typeSignature;
 * // (::Text {paramName:"city", description:"The city name"})==>(::String)
 * ```
 *
 * Throws `SpecificationError` for a schema that no type signature can say.
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
