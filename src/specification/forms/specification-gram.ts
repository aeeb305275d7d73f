import { parseGram, printGram } from "../gram/index.js";
import type { ToolSpecification } from "../tool-specification.js";
import { wrongAt } from "./gram-fault.js";
import { onlyPattern, patternOfTool, toolOfPattern } from "./tool-pattern.js";

/**
 * A specification in gram notation. The schema isn't written: it is made from the
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

/**
 * The specifications of a text that holds any number of tools, in their order; `toolSpecificationFromGram` reads those of one.
 *
 * ```ts
 * const specifications = toolSpecificationsFromGram(await readFile("tools.gram", "utf8"));
 * ```
 *
 * Throws as that function does, and `SpecificationError` where two tools have one name.
 */
export function toolSpecificationsFromGram(text: string): readonly ToolSpecification[] {
  const { patterns } = parseGram(text, { typeSignatures: true });
  const names = new Set<string>();
  return patterns.map((pattern) => {
    const specification = toolOfPattern(pattern, text);
    const { name } = specification;
    if (names.has(name)) return wrongAt(text, pattern, `two tools are named "${name}". Leave one out, or rename it.`);
    names.add(name);
    return specification;
  });
}
