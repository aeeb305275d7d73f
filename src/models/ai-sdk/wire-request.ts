import { parseArgumentsText, type Restore, type WireForm, wireDescription, wireSchema } from "../../schema/internal.js";
import type { ModelTool } from "../chat-model.js";
import type { ToolCall } from "../message.js";
import type { AiSdkLanguageModel } from "./language-model.js";

/** The forms in which the provider packages take schemas, by how their names begin; others take any JSON Schema as it is. */
const forms: readonly (readonly [RegExp, WireForm])[] = [
  [/^(openai|azure)(\.|$)/, "openai-strict"],
  [/(^|\.)anthropic(\.|$)/, "anthropic"],
  [/^google(\.|$)/, "ai-sdk-google"],
  [/^amazon-bedrock(\.|$)/, "bedrock"],
  [/^mistral(\.|$)/, "mistral"],
  [/^ollama(\.|$)/, "ollama"],
];

/**
 * The form for a model of the AI SDK, by its `provider`: `openai.responses`, `google.generative-ai`, ... Packages of the
 * specification v2 can't say of one tool that it is strict.
 */
export function wireFormOf({ provider, specificationVersion }: AiSdkLanguageModel): WireForm | undefined {
  const form = forms.find(([pattern]) => pattern.test(provider))?.[1];
  return form === "openai-strict" && specificationVersion === "v2" ? "openai-chat" : form;
}

/** Tools in the provider's wire format, and the parser for their calls' arguments. */
export interface WireTools {
  readonly tools: readonly ModelTool[];
  readonly restores: ReadonlyMap<string, Restore>;
}

/** The tools in the provider's form. One that says itself whether it is strict was made for that; only strict mode is kept from it. */
export function toWireTools(tools: readonly ModelTool[], form: WireForm): WireTools {
  const restores = new Map<string, Restore>();
  const written = tools.map((tool): ModelTool => {
    if (tool.strict === true) return tool;
    const schema = wireSchema(tool.parameters, tool.strict === false && form === "openai-strict" ? "openai-chat" : form);
    // Such a tool isn't offered; if somebody offers it all the same, the provider decides.
    if ("refused" in schema) return tool;
    if (schema.restore !== undefined) restores.set(tool.name, schema.restore);
    const { name } = tool;
    return {
      name,
      description: wireDescription(tool.description, schema.note),
      parameters: schema.parameters,
      ...(schema.strict && { strict: true }),
    };
  });
  return { tools: written, restores };
}

/** A call with the arguments of the tool's own schema. Text that needs no change, or can't be read, stays as it is. */
export function readCall(call: ToolCall, { restores }: WireTools): ToolCall {
  const restore = restores.get(call.name);
  const parsed = restore && parseArgumentsText(call.arguments);
  if (restore === undefined || parsed === undefined || !parsed.ok) return call;
  const restored = JSON.stringify(restore(parsed.value));
  return restored === JSON.stringify(parsed.value) ? call : { ...call, arguments: restored };
}
