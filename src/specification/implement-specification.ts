import { createTool, type ToolClass, type ToolConfig, type ToolContext } from "../tool/index.js";
import { checkSpecification, type ToolSpecification } from "./tool-specification.js";

/**
 * A tool class that implements a specification by a function: it has the specification's name, description and schema, so
 * that it binds. `policy` is what else `createTool` takes.
 *
 * ```ts
 * const SayHello = implementSpecification(sayHello, ({ name }) => `Hello, ${name}! Nice to meet you.`, { timeout: 2_000 });
 * ```
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
