import { createTool, type ToolClass, type ToolConfig, type ToolContext } from "../tool/index.js";
import { checkSpecification, type ToolSpecification } from "./tool-specification.js";

/**
 * Makes a tool class from a specification and a function. The class has the specification's name, description and schema, so it
 * binds.
 *
 * ```ts
 * const SayHello = implementSpecification(sayHello, ({ name }) => `Hello, ${name}! Nice to meet you.`, { timeout: 2_000 });
 * ```
 *
 * `policy` takes the other options of `createTool`. See docs/10-specifications-and-gram.md.
 */
export function implementSpecification(
  specification: ToolSpecification,
  execute: (input: Record<string, unknown>, context: ToolContext) => unknown,
  policy: Omit<ToolConfig, "name" | "description" | "inputSchema" | "execute"> = {},
): ToolClass {
  checkSpecification(specification, "implementSpecification");
  const { name, description, schema } = specification;
  return createTool({ ...policy, name, description, inputSchema: schema, execute });
}
