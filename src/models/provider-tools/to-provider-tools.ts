import { type ProviderDialect, type WireForm, WireNames, type WireSchema } from "../../schema/internal.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";
import { checkDialect, checkTools } from "./check-provider-tools.js";
import { geminiSchema } from "./gemini-schema.js";
import { warnOfLongList } from "./list-limits.js";
import type { ProviderTools, WireParameters } from "./provider-tool.js";
import { type ProvidableTool, type WireTool, wireTools } from "./wire-tool.js";

/** Options of `toProviderTools`. See docs/11-providers.md. */
export interface ProviderToolOptions {
  /**
   * Whether to use the provider's strict mode for tools whose schema allows it; the model can then only write valid arguments.
   *
   * Default: true for OpenAI; false for Anthropic, which rejects a request if its strict tools are too large together. Has no
   * effect for other providers.
   */
  readonly strict?: boolean;
}

const optionNames: OptionNames<ProviderToolOptions> = { strict: true };

/** What one request to Anthropic may hold in strict tools ("Structured outputs", "Schema complexity limits"). */
const anthropicLimits = { tools: 20, optional: 24, unions: 16 };

/**
 * Converts tools to the form of a provider's API, for use with the provider's own SDK.
 *
 * ```ts
 * const tools = toProviderTools([WeatherTool], "openai-chat");
 * const response = await openai.chat.completions.create({ model, messages, tools });
 * const { calls, refused } = fromProviderResponse(response, [WeatherTool], "openai-chat");
 * for (const call of calls) send(call.id, modelText(await executor.call(call, scope)));
 * for (const { id, content } of refused) send(id, content);
 * ```
 *
 * Names, schemas and strict mode follow the provider's rules. What its schemas can't express is written into the descriptions;
 * calls are still validated against the tools' own schemas. A process warning reports a tool that can't be converted (it is left
 * out) and a list that is too long.
 *
 * Each schema is converted once; its part of the result is shared and frozen. See docs/11-providers.md.
 */
export function toProviderTools<Dialect extends ProviderDialect>(
  tools: readonly ProvidableTool[],
  dialect: Dialect,
  options: ProviderToolOptions = {},
): ProviderTools[Dialect] {
  checkTools(tools, "toProviderTools");
  checkDialect(dialect, "toProviderTools");
  checkOptionNames(options, optionNames, "toProviderTools");
  const { strict = dialect !== "anthropic" } = options;
  const wire = wireTools(tools, formOf(dialect, strict), dialect);
  warnOfLongList(dialect, wire.length);
  const names = new WireNames(wire.map(({ tool }) => tool));
  const kept = dialect === "anthropic" && strict ? withinLimits(wire) : wire;
  const named = kept.map(({ tool, description, schema }) => ({ name: names.toWire(tool), description, schema }));
  // The compiler can't infer that the writer at a key returns the type that the interface has at that key.
  return writers[dialect](named);
}

/** The form of a dialect. A strict one falls back to the plain form if a schema doesn't fit. */
export function formOf(dialect: ProviderDialect, strict: boolean): WireForm {
  if (!strict) return dialect;
  if (dialect === "anthropic") return "anthropic-strict";
  return dialect === "openai-chat" || dialect === "openai-responses" ? "openai-strict" : dialect;
}

/** The first tools are strict, as many as a request may hold. */
function withinLimits(tools: readonly WireTool[]): readonly WireTool[] {
  const left = { ...anthropicLimits };
  return tools.map((tool) => {
    const { size } = tool.schema;
    if (size === undefined) return tool;
    if (left.tools < 1 || size.optional > left.optional || size.unions > left.unions)
      return { ...tool, schema: { ...tool.schema, strict: false } };
    left.tools -= 1;
    left.optional -= size.optional;
    left.unions -= size.unions;
    return tool;
  });
}

interface NamedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: WireSchema;
}

/** The schema is frozen; its type says so nowhere, because the SDKs' types don't. */
const parametersOf = ({ schema }: NamedTool): WireParameters & { type: "object"; properties: Record<string, WireParameters> } =>
  schema.parameters as WireParameters & { type: "object"; properties: Record<string, WireParameters> };

const writers: { readonly [Dialect in ProviderDialect]: (tools: readonly NamedTool[]) => ProviderTools[Dialect] } = {
  "openai-chat": (tools) =>
    tools.map((tool) => ({
      type: "function",
      function: { name: tool.name, description: tool.description, parameters: parametersOf(tool), strict: tool.schema.strict },
    })),
  "openai-responses": (tools) =>
    tools.map((tool) => ({
      type: "function",
      name: tool.name,
      description: tool.description,
      parameters: parametersOf(tool),
      strict: tool.schema.strict,
    })),
  anthropic: (tools) =>
    tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      input_schema: parametersOf(tool),
      ...(tool.schema.strict && { strict: true }),
    })),
  gemini: (tools) => (tools.length === 0 ? [] : [{ functionDeclarations: tools.map(geminiDeclaration) }]),
  bedrock: (tools) =>
    tools.map((tool) => ({
      // An empty description is refused.
      toolSpec: {
        name: tool.name,
        ...(tool.description !== "" && { description: tool.description }),
        inputSchema: { json: parametersOf(tool) },
      },
    })),
  mistral: (tools) =>
    tools.map((tool) => ({
      type: "function",
      function: { name: tool.name, description: tool.description, parameters: parametersOf(tool) },
    })),
  ollama: (tools) =>
    tools.map((tool) => ({
      type: "function",
      function: { name: tool.name, description: tool.description, parameters: parametersOf(tool) },
    })),
};

function geminiDeclaration({ name, description, schema }: NamedTool): ProviderTools["gemini"][number]["functionDeclarations"][number] {
  const { properties = {} } = schema.parameters;
  // An object without properties is refused.
  return Object.keys(properties).length === 0 ? { name, description } : { name, description, parameters: geminiSchema(schema.parameters) };
}
