import { parseGram, printGram } from "../gram/index.js";
import type { ToolSpecification } from "../tool-specification.js";
import { wrongAt } from "./gram-fault.js";
import { onlyPattern, patternOfTool, toolOfPattern } from "./tool-pattern.js";

/**
 * Writes a tool's specification in gram notation. The schema is left out, because it is derived from the type signature.
 *
 * ```ts
 * toolSpecificationToGram(sayHello);
 * // [sayHello:ToolSpecification {description: "Greets."} | (::Text {paramName:"name"})==>(::String)]
 * ```
 *
 * See docs/10-specifications-and-gram.md.
 */
export const toolSpecificationToGram = (specification: ToolSpecification): string => printGram(patternOfTool(specification));

/**
 * Reads a tool's specification from gram notation. The label is `ToolSpecification` or `Tool`.
 *
 * Throws `GramSyntaxError` for invalid gram and `SpecificationError` if it isn't a tool, both with line, column and excerpt. See
 * docs/10-specifications-and-gram.md.
 */
export const toolSpecificationFromGram = (text: string): ToolSpecification =>
  toolOfPattern(onlyPattern(parseGram(text, { typeSignatures: true }), "a tool specification", text), text);

/**
 * Reads all tool specifications of a text in gram notation, in order.
 *
 * ```ts
 * const specifications = toolSpecificationsFromGram(await readFile("tools.gram", "utf8"));
 * ```
 *
 * Throws like `toolSpecificationFromGram`, and `SpecificationError` if two tools have the same name. See
 * docs/10-specifications-and-gram.md.
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
