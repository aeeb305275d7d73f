import { type ProviderDialect, wireDescription, type WireForm, type WireSchema, wireSchema } from "../../schema/internal.js";
import type { ToolClass, ToolDefinition } from "../../tool/index.js";
import { asTool, isToolClass } from "../../tool/internal.js";
import { leaveOut } from "./leave-out.js";

/** The name, description, parameters schema and examples of a tool. `SomeTool.definition` is one. */
export type DescribedTool = Pick<ToolDefinition, "name" | "description" | "parametersSchema" | "examples">;

/** A tool class, or the description of a tool (`SomeTool.definition`). */
export type ProvidableTool = ToolClass | DescribedTool;

/** A tool in a provider's wire format. */
export interface WireTool {
  /** The tool's own name. */
  readonly tool: string;
  readonly description: string;
  readonly schema: WireSchema;
}

/** What was written before, by the tool: the definition of a class never changes, nor does a frozen description. */
const written = new Map<WireForm, WeakMap<ProvidableTool, WireTool>>();

/**
 * The tools that a provider can take, in their order. A tool that can't is left out, with a warning that names it:
 * the others work.
 */
export function wireTools(tools: readonly ProvidableTool[], form: WireForm, dialect: ProviderDialect): WireTool[] {
  let known = written.get(form);
  if (known === undefined) written.set(form, (known = new WeakMap()));
  const wire = new Map<string, WireTool>();
  for (const tool of tools) {
    let one = known.get(tool);
    if (one === undefined) {
      one = write(tool, form, dialect);
      if (one === undefined) continue;
      if (typeof tool === "function" || Object.isFrozen(tool)) known.set(tool, one);
    }
    if (wire.has(one.tool)) leaveOut(one.tool, dialect, "another tool before it has the same name");
    else wire.set(one.tool, one);
  }
  return [...wire.values()];
}

function write(tool: ProvidableTool, form: WireForm, dialect: ProviderDialect): WireTool | undefined {
  const described = describedBy(tool, (name, reason) => leaveOut(name, dialect, reason));
  if (described === undefined) return undefined;
  const { name, description, parametersSchema, examples } = described;
  const schema = wireSchema(parametersSchema, form);
  if (!("refused" in schema)) return { tool: name, description: wireDescription(description, schema, examples), schema };
  leaveOut(name, dialect, schema.refused);
  return undefined;
}

/** Nothing if the definition of a class is wrong; `report` receives the reason. */
export function describedBy(tool: ProvidableTool, report?: (name: string, reason: string) => void): DescribedTool | undefined {
  if (!isToolClass(tool)) return isDescribed(tool) ? tool : asTool(tool, "Tools for a provider").definition;
  try {
    return tool.definition;
  } catch (error) {
    report?.(tool.name, error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** From JavaScript, an instance may stand there, or nothing. */
const isDescribed = (tool: DescribedTool): boolean => typeof tool === "object" && typeof (tool as DescribedTool | null)?.name === "string";
