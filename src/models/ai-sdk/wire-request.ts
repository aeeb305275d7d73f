import {
  fitWire,
  parseArgumentsText,
  type Restore,
  type WireForm,
  type WireSchema,
  wireDescription,
  wireExamples,
  wireSchema,
  withoutExamples,
} from "../../schema/internal.js";
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

/** Whether the provider takes examples apart from the description: Anthropic's own API does, from specification v3 on. */
export const takesExamples = ({ provider, specificationVersion }: AiSdkLanguageModel): boolean =>
  /^anthropic(\.|$)/.test(provider) && specificationVersion !== "v2";

export const noRestores: WireTools["restores"] = new Map();

/** The tools in the provider's form. One that says itself whether it is strict was made for that; only strict mode is kept from it. */
export function toWireTools(tools: readonly ModelTool[], form: WireForm, keepsExamples: boolean): WireTools {
  const restores = new Map<string, Restore>();
  const written = tools.map((tool): ModelTool => {
    if (tool.providerTool !== undefined) return tool;
    if (tool.strict === true) return withExamplesInText(tool);
    const schema = wireSchema(tool.parameters, tool.strict === false && form === "openai-strict" ? "openai-chat" : form);
    // Such a tool isn't offered; if somebody offers it all the same, the provider decides.
    if ("refused" in schema) return withExamplesInText(tool);
    if (schema.restore !== undefined) restores.set(tool.name, schema.restore);
    const { name } = tool;
    return {
      name,
      ...withWireExamples(tool, schema, keepsExamples),
      parameters: schema.parameters,
      ...(schema.strict && { strict: true }),
    };
  });
  return { tools: written, restores };
}

/** Nothing is known of how such a tool's arguments stand on the wire, so that the description alone shows them. */
function withExamplesInText(tool: ModelTool): ModelTool {
  if (tool.examples === undefined) return tool;
  const { examples: _examples, ...described } = tool;
  return described;
}

function withWireExamples(
  { description, examples }: ModelTool,
  schema: WireSchema,
  keepsExamples: boolean,
): Pick<ModelTool, "description" | "examples"> {
  if (examples === undefined) return { description: wireDescription(description, schema) };
  const text = withoutExamples(description, examples);
  const written = wireExamples(examples, schema);
  return keepsExamples && written.length > 0 && fitWire(written, schema)
    ? { description: wireDescription(text, schema), examples: written }
    : { description: wireDescription(text, schema, examples) };
}

/** A call with the arguments of the tool's own schema. Text that needs no change, or can't be read, stays as it is. */
export function readCall(call: ToolCall, restores: WireTools["restores"]): ToolCall {
  const restore = restores.get(call.name);
  const parsed = restore && parseArgumentsText(call.arguments);
  if (restore === undefined || parsed === undefined || !parsed.ok) return call;
  const restored = JSON.stringify(restore(parsed.value));
  return restored === JSON.stringify(parsed.value) ? call : { ...call, arguments: restored };
}
