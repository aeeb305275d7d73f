import { parseGram, printGram } from "../gram/index.js";
import type { ToolSpecification } from "../tool-specification.js";
import { onlyPattern, patternOfTool, toolOfPattern } from "./tool-pattern.js";

/**
 * A specification in gram notation (seed 001, "ToolSpecification Serialization"). The schema isn't written: it is made from the
 * type signature again.
 *
 * ```ts
 * toolSpecificationToGram(sayHello);
 * // [sayHello:ToolSpecification {description: "Greets."} | (::Text {paramName:"name"})==>(::String)]
 * ```
 */
export const toolSpecificationToGram = (specification: ToolSpecification): string => printGram(patternOfTool(specification));

/**
 * A specification from gram notation; the label may also be `Tool`. Throws `GramSyntaxError` for what is no gram, and
 * `SpecificationError` for what is no tool, both with line, column and excerpt of the place in the text.
 */
export const toolSpecificationFromGram = (text: string): ToolSpecification =>
  toolOfPattern(onlyPattern(parseGram(text, { typeSignatures: true }), "a tool specification", text), text);
