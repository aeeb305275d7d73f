import { joinTexts, type ProviderDialect, type WireForm, type WireSchema, wireSchema } from "../../schema/internal.js";
import { isToolClass, type ToolClass, type ToolDefinition } from "../../tool/index.js";
import { leaveOut } from "./leave-out.js";

/** A tool by what a model is told of it. */
export type DescribedTool = Pick<ToolDefinition, "name" | "description" | "parametersSchema">;

/** A tool class, or the description of a tool (`SomeTool.definition` is one). */
export type ProvidableTool = ToolClass | DescribedTool;

/** A tool as a provider is told of it. */
export interface WireTool {
  /** The tool's own name. */
  readonly tool: string;
  readonly description: string;
  readonly schema: WireSchema;
}

/** No provider is known to take longer ones; those that took less (1,024 characters, OpenAI until 2025) take this now. */
const longestDescription = 32_000;

/**
 * The tools that a provider can be told of, in their order. A tool that can't is left out, with a warning that names it:
 * the others work.
 */
export function wireTools(tools: readonly ProvidableTool[], form: WireForm, dialect: ProviderDialect): WireTool[] {
  const seen = new Set<string>();
  return tools.flatMap((tool) => {
    const described = describe(tool, dialect);
    if (described === undefined) return [];
    const { name, description, parametersSchema } = described;
    const schema = wireSchema(parametersSchema, form);
    const reason = "refused" in schema ? schema.refused : seen.has(name) ? "another tool before it has the same name" : undefined;
    seen.add(name);
    if (reason !== undefined || "refused" in schema) {
      leaveOut(name, dialect, reason ?? "");
      return [];
    }
    return [{ tool: name, description: shortened(joinTexts(description, schema.note) ?? ""), schema }];
  });
}

function describe(tool: ProvidableTool, dialect: ProviderDialect): DescribedTool | undefined {
  if (!isToolClass(tool)) return tool;
  try {
    return tool.definition;
  } catch (error) {
    leaveOut(tool.name, dialect, error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

export function shortened(description: string): string {
  if (description.length <= longestDescription) return description;
  return `${description.slice(0, longestDescription)}... [cut: ${description.length} characters in all]`;
}
