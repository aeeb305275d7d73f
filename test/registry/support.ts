import { createRegistry, createWorkspace, type RegistryOptions, type ToolRegistry } from "../../src/registry/index.js";
import { createTool, type Toolbox, type ToolClass, type ToolContext } from "../../src/tool/index.js";
import type { ToolPolicy } from "../../src/tool/definition/policy.js";

export const noTools: Toolbox = { name: "none", tools: [] };

/** A tool that answers with its name, or runs the given function. */
export const tool = (
  name: string,
  policy: Partial<ToolPolicy> = {},
  execute: (input: unknown, context: ToolContext) => unknown = () => name,
): ToolClass => createTool({ name, description: `Does ${name}. Use when it is due.`, inputSchema: { type: "object" }, ...policy, execute });

/** A registry of a project's toolboxes alone: `registryOf({ billing: [refund] })`; `""` is the root. */
export function registryOf(toolboxes: Readonly<Record<string, readonly ToolClass[]>>, options: RegistryOptions = {}): ToolRegistry {
  let builder = createWorkspace();
  for (const tool of toolboxes[""] ?? []) builder.addTool(tool);
  for (const [name, tools] of Object.entries(toolboxes)) if (name !== "") builder = builder.toolbox({ name, tools });
  return createRegistry({ internal: noTools, project: builder.build(), ...options });
}

/** What the process is warned of by the action. */
export function warningsOf(action: () => void): readonly string[] {
  const emitWarning = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  try {
    action();
    return emitWarning.mock.calls.map(([message]) => String(message));
  } finally {
    emitWarning.mockRestore();
  }
}
