import {
  type FunctionTool,
  RunContext,
  tool as agentsTool,
  type ToolOutputFileContent,
  type ToolOutputImage,
  type ToolOutputText,
} from "@openai/agents";
import { modelText } from "../../execution/index.js";
import { identifierForm } from "../../schema/internal.js";
import type { Attachment, ToolClass } from "../../tool/index.js";
import { splitAtNotes } from "../../tool/internal.js";
import type { AdapterOptions } from "../adapter/adapter-options.js";
import { type AdaptedTool, ToolAdapter } from "../adapter/tool-adapter.js";

/** Options of `toOpenAiAgentsTools`. See docs/13-other-frameworks.md. */
export type OpenAiAgentsToolOptions<Context> = AdapterOptions<RunContext<Context>>;

/** A tool of the OpenAI Agents SDK, made from a tool class. It returns the text that the model reads, or a list of texts, images and files. */
// biome-ignore lint/suspicious/noExplicitAny: the SDK's own word for parameters in JSON Schema, which its agents take
export type OpenAiAgentsTool<Context> = FunctionTool<Context, any, string | OutputPart[]>;

type OutputPart = ToolOutputText | ToolOutputImage | ToolOutputFileContent;

/**
 * Converts tool classes to tools for an `Agent` of the OpenAI Agents SDK.
 *
 * ```ts
 * const agent = new Agent({ name: "Weather", tools: toOpenAiAgentsTools([WeatherTool]) });
 * ```
 *
 * A failed call returns its error message. A tool that requires confirmation interrupts the run with `needsApproval`, and runs only
 * when the run's state contains the approval of the call.
 *
 * Throws `ToolDefinitionError` if a tool's definition is invalid or two tools have the same name. See docs/13-other-frameworks.md.
 */
// biome-ignore lint/suspicious/noExplicitAny: tools whose scope asks nothing of the context fit agents of any
export function toOpenAiAgentsTools<Context = any>(
  tools: readonly ToolClass[],
  options: OpenAiAgentsToolOptions<Context> = {},
): OpenAiAgentsTool<Context>[] {
  // The SDK replaces every other character of a name by itself, and two names by one.
  const adapter = new ToolAdapter(tools, options, { owner: "toOpenAiAgentsTools", form: "openai-strict", legalName: identifierForm });
  return adapter.tools.map((tool) => toAgentsTool(tool, adapter));
}

type CallDetails = Parameters<FunctionTool["invoke"]>[2];

/** Whether the run's state says that exactly this call was approved, or all calls of the tool: the SDK binds it to the arguments. */
function isApproved(name: string, context: RunContext<unknown>, details: CallDetails): boolean {
  const { callId, namespace } = details?.toolCall ?? {};
  if (callId === undefined) return false;
  if (namespace === undefined) return context.isToolApproved({ toolName: name, callId }) === true;
  // `isToolApproved` doesn't find the tools of a `toolNamespace`.
  const approved = context.toJSON().approvals[`${namespace}.${name}`]?.approved ?? false;
  return approved === true || (Array.isArray(approved) && approved.includes(callId));
}

/** What the SDK's types call a schema that isn't strict. */
interface OpenSchema {
  readonly type: "object";
  readonly properties: Record<string, never>;
  readonly required: string[];
  readonly additionalProperties: true;
}

function toAgentsTool<Context>(tool: AdaptedTool, adapter: ToolAdapter<RunContext<Context>>): OpenAiAgentsTool<Context> {
  const { name, description, parameters, definition, strict } = tool;
  const asks = definition.requiresConfirmation !== false;
  const made = agentsTool<OpenSchema, Context, string | OutputPart[]>({
    name,
    description,
    // Passed unchanged: the dialect has already made the schemas strict, if possible.
    strict: false,
    parameters: parameters as unknown as OpenSchema,
    // An interrupt ends the run with an error; nothing else is thrown.
    errorFunction: null,
    isEnabled: ({ runContext }: { runContext: RunContext<Context> }) => adapter.permits(tool, runContext),
    ...(asks && {
      // The run's context; its type is incomplete here.
      needsApproval: (context: RunContext, input: unknown, callId?: string) =>
        adapter.needsApproval(tool, { id: callId, input, context: context as RunContext<Context>, abortSignal: undefined }),
    }),
    // The SDK always gives a context; its type doesn't say so.
    execute: async (input: unknown, context: RunContext<Context> = new RunContext<Context>(), details?: CallDetails) => {
      const id = details?.toolCall?.callId;
      const approved = asks && isApproved(name, context, details);
      const result = await adapter.call(tool, { id, input, context, abortSignal: details?.signal }, approved);
      const text = modelText(result);
      return result.attachments === undefined ? text : splitAtNotes(text, result.attachments).map(partOf);
    },
  });
  return { ...made, strict };
}

function partOf(piece: string | Attachment): OutputPart {
  if (typeof piece === "string") return { type: "text", text: piece };
  const { type, mediaType, data } = piece;
  return type === "image"
    ? { type, image: { data, mediaType } }
    : { type, file: { data, mediaType, filename: piece.filename ?? "file.pdf" } };
}
