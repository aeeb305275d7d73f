import { randomUuid } from "../platform/index.js";
import type { ToolClass, ToolContext, ToolResult, UniversalToolDefinition } from "../tool/index.js";
import { createRunScope } from "./run-scope.js";
import { ToolExecutor } from "./tool-executor.js";

/**
 * Converts a tool class to a plain object with `schema` and `execute`, for frameworks that take tools in this form.
 *
 * ```ts
 * const { name, schema, execute } = universalDefinition(WeatherTool);
 * const result = await execute({ city: "Paris" }, { userId: "42", abortSignal });
 * ```
 *
 * `execute` goes through the executor: it validates, applies the timeout, and throws only interrupts. See docs/02-tools.md.
 */
export function universalDefinition(toolClass: ToolClass): UniversalToolDefinition & { readonly timeout: number } {
  const { definition } = toolClass;
  const { name, description, parametersSchema, category, consequenceLevel, requiresConfirmation, timeout, tags, version, dependsOn } =
    definition;
  const executor = new ToolExecutor({ tools: [toolClass] });
  const execute = (input: unknown, context: Partial<ToolContext>): Promise<ToolResult> => {
    const { abortSignal, ...toolContext } = context;
    const scope = createRunScope({ toolContext, ...(abortSignal === undefined ? {} : { abortSignal }) });
    // The executor checks whatever came as arguments.
    return executor.call({ id: randomUuid(), name, arguments: input as Record<string, unknown> }, scope);
  };
  return {
    name,
    description,
    schema: parametersSchema,
    category,
    consequenceLevel,
    requiresConfirmation: requiresConfirmation !== false,
    timeout,
    execute,
    tags,
    ...(version === undefined ? {} : { version }),
    dependsOn,
    ...(definition.examples === undefined ? {} : { examples: definition.examples }),
  };
}
