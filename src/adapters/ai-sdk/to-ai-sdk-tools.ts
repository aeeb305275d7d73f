import { type JSONSchema7, jsonSchema, type ModelMessage, type ToolSet } from "ai";
import { modelText } from "../../execution/index.js";
import type { ToolClass } from "../../tool/index.js";
import type { AdapterOptions } from "../adapter/adapter-options.js";
import { type AdaptedTool, ToolAdapter } from "../adapter/tool-adapter.js";
import { ToolFailureError } from "../adapter/tool-failure-error.js";
import { isApproved } from "./is-approved.js";

/** What the AI SDK passes to a tool along with its arguments. */
export interface AiSdkCall {
  /** The id of the call in the messages. */
  readonly toolCallId: string;
  /** The messages that led to the call. */
  readonly messages: ModelMessage[];
  /** Absent while the SDK asks whether the call needs approval. */
  readonly abortSignal?: AbortSignal;
  /** AI SDK 6: the option `experimental_context` of `generateText`. */
  readonly experimental_context?: unknown;
  /** AI SDK 7: the tool's entry in `toolsContext`. */
  readonly context?: unknown;
}

/** Options of `toAiSdkTools`. See docs/13-other-frameworks.md. */
export type AiSdkToolOptions = AdapterOptions<AiSdkCall>;

/**
 * Converts tool classes to tools for `generateText`, `streamText` and the agents of the AI SDK (`ai` 6 and 7).
 *
 * ```ts
 * const { text } = await generateText({ model, prompt, tools: toAiSdkTools([WeatherTool]), stopWhen: stepCountIs(5) });
 * ```
 *
 * - Names are changed to ones that every provider accepts.
 * - A failed call becomes a `tool-error` whose error is a `ToolFailureError`.
 * - A tool that requires confirmation uses `needsApproval`. It runs only when the messages contain a person's approval of the call.
 *
 * Throws `ToolDefinitionError` if a tool's definition is invalid or two tools have the same name. See docs/13-other-frameworks.md.
 */
export function toAiSdkTools(tools: readonly ToolClass[], options: AiSdkToolOptions = {}): ToolSet {
  // Providers aren't known here: what OpenAI takes, the others take as well.
  const adapter = new ToolAdapter(tools, options, { owner: "toAiSdkTools", form: "openai-chat" });
  return Object.fromEntries(adapter.tools.map((tool) => [tool.name, toAiSdkTool(tool, adapter)]));
}

function toAiSdkTool(tool: AdaptedTool, adapter: ToolAdapter<AiSdkCall>): ToolSet[string] {
  const { description, parameters, definition } = tool;
  const asks = definition.requiresConfirmation !== false;
  const callOf = (input: unknown, context: AiSdkCall) => ({
    id: context.toolCallId,
    input,
    context,
    abortSignal: context.abortSignal,
  });
  return {
    description,
    // Without a check of the SDK's own: the executor checks, repairs and explains. Its type is draft 07; it passes on any.
    inputSchema: jsonSchema(parameters as unknown as JSONSchema7),
    // OpenAI's Responses API tries strict mode for a tool that doesn't say that it isn't.
    strict: tool.strict,
    ...(asks && { needsApproval: (input: unknown, context: AiSdkCall) => adapter.needsApproval(tool, callOf(input, context)) }),
    execute: async (input: unknown, context: AiSdkCall): Promise<unknown> => {
      const approved = asks && isApproved(context.messages, context.toolCallId, input);
      const result = await adapter.call(tool, callOf(input, context), approved);
      if (result.error !== undefined) throw new ToolFailureError(result);
      // A text is what the model reads; other data is for the application, and becomes a text below.
      return typeof result.data === "string" ? modelText(result) : result.data;
    },
    toModelOutput: ({ output }: { output: unknown }) => ({
      type: "text" as const,
      value: modelText({ tool: definition.name, fetchedAt: "", data: output }),
    }),
  };
}
