import { randomUUID } from "node:crypto";
import type { ToolClass, ToolContext, ToolResult, UniversalToolDefinition } from "../tool/index.js";
import { createRunScope } from "./run-scope.js";
import { ToolExecutor } from "./tool-executor.js";

/**
 * A tool in the universal shape, for frameworks that take tools so. Its `execute` goes
 * through the executor: it validates, keeps the timeout, and doesn't throw, except an interrupt.
 *
 * ```ts
 * const { name, schema, execute } = universalDefinition(WeatherTool);
 * const result = await execute({ city: "Paris" }, { userId: "42", abortSignal });
 * ```
 */
export function universalDefinition(toolClass: ToolClass): UniversalToolDefinition & { readonly timeout: number } {
  const { name, description, parametersSchema, category, consequence, requiresConfirmation, timeout, tags, version, dependsOn } =
    toolClass.definition;
  const executor = new ToolExecutor({ tools: [toolClass] });
  const execute = (input: unknown, context: Partial<ToolContext>): Promise<ToolResult> => {
    const { abortSignal, ...toolContext } = context;
    const scope = createRunScope({ toolContext, ...(abortSignal === undefined ? {} : { abortSignal }) });
    // The executor checks whatever came as arguments.
    return executor.call({ id: randomUUID(), name, arguments: input as Record<string, unknown> }, scope);
  };
  return {
    name,
    description,
    schema: parametersSchema,
    category,
    consequenceLevel: consequence,
    requiresConfirmation: requiresConfirmation !== false,
    timeout,
    execute,
    tags,
    ...(version === undefined ? {} : { version }),
    dependsOn,
  };
}
