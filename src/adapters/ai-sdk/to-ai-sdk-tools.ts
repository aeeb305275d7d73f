import { type JSONSchema7, jsonSchema, type ModelMessage, type Schema, type ToolSet } from "ai";
import type { ToolClass } from "../../tool/index.js";
import type { AdapterOptions } from "../adapter/adapter-options.js";
import { answerText } from "../adapter/answer-text.js";
import { type AdaptedTool, ToolAdapter } from "../adapter/tool-adapter.js";
import { ToolFailureError } from "../adapter/tool-failure-error.js";
import { modelOutputOf, outputOf } from "./model-output.js";
import { isDeepStrictEqual } from "node:util";

/**
 * What the AI SDK passes to a tool along with its arguments. `Context`: what `toolsContext` of AI SDK 7 has for each tool. See
 * docs/13-other-frameworks.md.
 */
export interface AiSdkCall<Context = unknown> {
  /** The id of the call in the messages. */
  readonly toolCallId: string;
  /** The messages that led to the call. */
  readonly messages: ModelMessage[];
  /** Absent while the SDK asks whether the call needs approval. */
  readonly abortSignal?: AbortSignal;
  /** AI SDK 6: the option `experimental_context` of `generateText`. */
  readonly experimental_context?: unknown;
  /** AI SDK 7: the tool's entry in `toolsContext`. */
  readonly context?: Context;
}

/** Options of `toAiSdkTools`. See docs/13-other-frameworks.md. */
export type AiSdkToolOptions<Context = unknown> = AdapterOptions<AiSdkCall<Context>>;

/**
 * What `toAiSdkTools` returns: the SDK's `ToolSet`, or one whose `toolsContext` has the type that the function `scope` reads. See
 * docs/13-other-frameworks.md.
 */
export type AiSdkToolSet<Context = unknown> = unknown extends Context ? ToolSet : Record<string, ContextualTool<Context>>;

// biome-ignore lint/suspicious/noExplicitAny: what `ToolSet` has for arguments and results of tools that only the program knows.
type Unchecked = any;

/** AI SDK 7 reads the type of a tool's entry in `toolsContext` from `contextSchema`; AI SDK 6 has no such member. */
interface ContextualTool<Context> {
  readonly description: string;
  readonly inputSchema: Schema<Unchecked>;
  readonly contextSchema?: Schema<Context>;
  readonly execute: (input: Unchecked, call: Unchecked) => Promise<Unchecked>;
}

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
 * - A tool with `@answeredBy("client")` has no `execute`: the page answers its calls with `addToolOutput`.
 * - AI SDK 7: give the function `scope` the type of what it reads, and `toolsContext` has it:
 *   `scope: ({ context }: AiSdkCall<{ userId: string }>) => ({ toolContext: { ...context } })`.
 *
 * Throws `ToolDefinitionError` if a tool's definition is invalid or two tools have the same name. See docs/13-other-frameworks.md.
 */
export function toAiSdkTools<Context = unknown>(
  tools: readonly ToolClass[],
  options: AiSdkToolOptions<Context> = {},
): AiSdkToolSet<Context> {
  // Providers aren't known here: what OpenAI takes, the others take as well.
  const adapter = new ToolAdapter(tools, options, { owner: "toAiSdkTools", form: "openai-chat", canAnswer: true });
  // The type of the context is the caller's word; nothing of it is there at run time.
  return Object.fromEntries(adapter.tools.map((tool) => [tool.name, toAiSdkTool(tool, adapter)])) as AiSdkToolSet<Context>;
}

function toAiSdkTool<Context>(tool: AdaptedTool, adapter: ToolAdapter<AiSdkCall<Context>>): ToolSet[string] {
  const { description, parameters, definition } = tool;
  if (definition.answeredBy !== undefined) return answeredTool(tool);
  const asks = definition.requiresConfirmation !== false;
  const callOf = (input: unknown, context: AiSdkCall<Context>) => ({
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
    ...(asks && { needsApproval: (input: unknown, context: AiSdkCall<Context>) => adapter.needsApproval(tool, callOf(input, context)) }),
    execute: async (input: unknown, context: AiSdkCall<Context>): Promise<unknown> => {
      const approved = asks && isApproved(context.messages, context.toolCallId, input);
      const result = await adapter.call(tool, callOf(input, context), approved);
      if (result.error !== undefined) throw new ToolFailureError(result);
      return outputOf(result);
    },
    toModelOutput: ({ output }: { output: unknown }) => modelOutputOf(definition.name, output),
  };
}

/** A tool without `execute`: the page gives the output with `addToolOutput`. */
function answeredTool({ description, parameters, definition, toolClass, strict }: AdaptedTool): ToolSet[string] {
  return {
    description,
    // JSON Schema 2020-12 has keywords that the SDK's type of draft 7 lacks; it passes them on.
    inputSchema: jsonSchema(parameters as unknown as JSONSchema7),
    outputSchema: jsonSchema(definition.outputSchema as unknown as JSONSchema7),
    strict,
    toModelOutput: ({ toolCallId, output }: { toolCallId: string; output: unknown }) => ({
      type: "text" as const,
      value: answerText(toolClass, toolCallId, output),
    }),
  };
}

/**
 * Whether the messages say that a person approved exactly this call: a request for its id, the tool call with the same
 * arguments, and a yes. Of several answers the first counts, as it does for the SDK.
 */
function isApproved(messages: readonly ModelMessage[], toolCallId: string, input: unknown): boolean {
  const requests = new Set<string>();
  let isSame = false;
  for (const { content } of messages) {
    if (typeof content === "string") continue;
    for (const part of content) {
      if (part.type === "tool-call" && part.toolCallId === toolCallId) isSame = isDeepStrictEqual(part.input, input);
      else if (part.type === "tool-approval-request" && part.toolCallId === toolCallId) requests.add(part.approvalId);
      else if (part.type === "tool-approval-response" && requests.has(part.approvalId)) return isSame && part.approved === true;
    }
  }
  return false;
}
