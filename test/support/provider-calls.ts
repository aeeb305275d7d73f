import type { ProviderTools } from "../../src/models/provider-tools/index.js";
import type { ProviderDialect } from "../../src/schema/internal.js";
import type { Schema } from "./provider-rules/schema-walk.js";

/** The schema of the arguments of a tool on the wire; undefined where it has none. */
export function parametersOf(tools: ProviderTools[ProviderDialect], dialect: ProviderDialect): Schema | undefined {
  const [tool] = tools as any[];
  if (dialect === "anthropic") return tool.input_schema;
  if (dialect === "bedrock") return tool.toolSpec.inputSchema.json;
  if (dialect === "gemini") return tool.functionDeclarations[0].parameters;
  return dialect === "openai-responses" ? tool.parameters : tool.function.parameters;
}

/** A call of a tool as the API of a dialect gives it. */
export function callIn(dialect: ProviderDialect, name: string, input: unknown): object {
  const text = JSON.stringify(input);
  const calls: Record<ProviderDialect, object> = {
    "openai-chat": { id: "call_1", type: "function", function: { name, arguments: text } },
    "openai-responses": { id: "fc_1", type: "function_call", call_id: "call_1", name, arguments: text },
    anthropic: { type: "tool_use", id: "call_1", name, input },
    gemini: { functionCall: { id: "call_1", name, args: input } },
    bedrock: { toolUse: { toolUseId: "call_1", name, input } },
    mistral: { id: "call_1", function: { name, arguments: text } },
    ollama: { id: "call_1", function: { name, arguments: input } },
  };
  return calls[dialect];
}
