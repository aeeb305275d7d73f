import { type ContentBlock, ToolMessage } from "@langchain/core/messages";
import { patchConfig, pickRunnableConfigKeys } from "@langchain/core/runnables";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import type { StructuredToolInterface, ToolRunnableConfig } from "@langchain/core/tools";
import { modelText, PreparedCall } from "../../execution/index.js";
import type { Attachment, ToolClass } from "../../tool/index.js";
import { splitAtNotes } from "../../tool/internal.js";
import type { AdapterOptions } from "../adapter/adapter-options.js";
import { type AdaptedCall, type AdaptedTool, ToolAdapter } from "../adapter/tool-adapter.js";
import { ToolFailureError } from "../adapter/tool-failure-error.js";
import { decideCall } from "./decide-call.js";
import { graphNodeOf } from "./graph-node.js";
import { UncheckedTool } from "./unchecked-tool.js";

/** Options of `toLangChainTools`. See docs/13-other-frameworks.md. */
export type LangChainToolOptions = AdapterOptions<ToolRunnableConfig>;

/**
 * Converts tool classes to tools for LangChain's models (`bindTools`) and agents, and for LangGraph's `ToolNode`.
 *
 * ```ts
 * const agent = createReactAgent({ llm, tools: toLangChainTools([WeatherTool]) });
 * ```
 *
 * A failed call becomes a `ToolMessage` with status `error`. The data of a successful call is the message's `artifact`. A tool that
 * requires confirmation pauses the graph with LangGraph's `interrupt` and a `ConfirmationRequest`, and continues with the
 * `Decision` that the graph is resumed with.
 *
 * Throws `ToolDefinitionError` if a tool's definition is invalid or two tools have the same name. See docs/13-other-frameworks.md.
 */
export function toLangChainTools(tools: readonly ToolClass[], options: LangChainToolOptions = {}): StructuredToolInterface[] {
  // Providers aren't known here: what OpenAI takes, the others take as well.
  const adapter = new ToolAdapter(tools, options, { owner: "toLangChainTools", form: "openai-chat", canAnswer: true });
  return adapter.tools.map((tool) => {
    const { name, description, parameters: schema } = tool;
    return new UncheckedTool({
      name,
      description,
      schema,
      func: (input: unknown, runManager, config: ToolRunnableConfig = {}) => {
        const call = { id: config.toolCall?.id, input, context: config, abortSignal: config.signal };
        // What the tool's own code runs of LangChain belongs to this call: its traces, its interrupts, its configuration.
        const inner = runManager === undefined ? config : patchConfig(config, { callbacks: runManager.getChild() });
        return AsyncLocalStorageProviderSingleton.runWithConfig(pickRunnableConfigKeys(inner), () => answer(adapter, tool, call));
      },
    });
  });
}

async function answer(
  adapter: ToolAdapter<ToolRunnableConfig>,
  tool: AdaptedTool,
  call: AdaptedCall<ToolRunnableConfig>,
): Promise<ToolMessage | string> {
  const node = adapter.asks ? graphNodeOf(call.context) : undefined;
  const named = { ...call, id: call.id ?? node?.nextId() };
  const { result, note } = await adapter.during(named, async (opened) => {
    const decide = () => decideCall(adapter, tool, opened, node !== undefined);
    const { prepared, note } = node === undefined ? await decide() : await node.decide(decide);
    await node?.allDecided();
    return { result: prepared instanceof PreparedCall ? await adapter.execute(prepared) : prepared, note };
  });
  const content = note + modelText(result);
  if (call.id !== undefined) {
    const status = result.error === undefined ? "success" : "error";
    const { attachments } = result;
    const blocks = attachments === undefined ? content : splitAtNotes(content, attachments).map(blockOf);
    return new ToolMessage({ content: blocks, status, artifact: result.data, tool_call_id: call.id, name: tool.name });
  }
  // No model made the call: what it gives is for code, which catches errors.
  if (result.error !== undefined) throw new ToolFailureError(result);
  return content;
}

/** The standard content blocks of LangChain, which its model classes convert. */
function blockOf(piece: string | Attachment): ContentBlock {
  if (typeof piece === "string") return { type: "text", text: piece };
  const { type, mediaType, data } = piece;
  if (type === "image") return { type, source_type: "base64", mime_type: mediaType, data };
  return { type, source_type: "base64", mime_type: mediaType, data, metadata: { filename: piece.filename ?? "file.pdf" } };
}
