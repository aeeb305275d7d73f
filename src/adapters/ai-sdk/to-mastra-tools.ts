import { type JSONSchema7, jsonSchema, type ToolSet } from "ai";
import { canonicalJson } from "../../execution/index.js";
import type { ToolClass } from "../../tool/index.js";
import type { AdapterOptions } from "../adapter/adapter-options.js";
import { type AdaptedTool, ToolAdapter } from "../adapter/tool-adapter.js";
import { ToolFailureError } from "../adapter/tool-failure-error.js";
import { modelOutputOf, outputOf } from "./model-output.js";

/** What Mastra passes to a tool along with its arguments. */
export interface MastraCall {
  /** Absent while Mastra asks whether the call needs approval. */
  readonly toolCallId?: string;
  readonly abortSignal?: AbortSignal;
  /** The `requestContext` of `agent.generate`; a plain object while Mastra asks whether the call needs approval. */
  readonly requestContext?: unknown;
}

/** Options of `toMastraTools`. See docs/13-other-frameworks.md. */
export type MastraToolOptions = AdapterOptions<MastraCall>;

/** How many calls wait for a person at most; the oldest are forgotten, and rejected if they run. */
const mostWaiting = 10_000;

/**
 * Converts tool classes to tools for the agents of Mastra (`@mastra/core` 1).
 *
 * ```ts
 * const agent = new Agent({ id: "shop", name: "Shop", instructions, model, tools: toMastraTools([RefundTool]) });
 * ```
 *
 * - A failed call throws a `ToolFailureError`, whose message the model reads.
 * - A tool that requires confirmation suspends the run. It runs after `agent.approveToolCall({ runId })`.
 *
 * Throws `ToolDefinitionError` if a tool's definition is invalid or two tools have the same name. See docs/13-other-frameworks.md.
 */
export function toMastraTools(tools: readonly ToolClass[], options: MastraToolOptions = {}): ToolSet {
  const adapter = new ToolAdapter(tools, options, { owner: "toMastraTools", form: "openai-chat" });
  return Object.fromEntries(adapter.tools.map((tool) => [tool.name, toMastraTool(tool, adapter)]));
}

function toMastraTool(tool: AdaptedTool, adapter: ToolAdapter<MastraCall>): ToolSet[string] {
  const { description, parameters, definition } = tool;
  const asks = definition.requiresConfirmation !== false;
  const callOf = (input: unknown, context: MastraCall) => ({
    id: context.toolCallId,
    input,
    context,
    abortSignal: context.abortSignal,
  });
  // Mastra asks before each start of a call, also when it resumes one, and starts it only if a person has approved it. It doesn't show
  // the approval to the tool: a call for which it never asked is rejected.
  const waiting = new Set<string>();
  const needsApproval = async (input: unknown, context: MastraCall): Promise<boolean> => {
    const needed = await adapter.needsApproval(tool, callOf(input, context));
    if (needed) waiting.add(canonicalJson(input));
    const [oldest] = waiting;
    if (oldest !== undefined && waiting.size > mostWaiting) waiting.delete(oldest);
    return needed;
  };
  return {
    description,
    // JSON Schema 2020-12 has keywords that the SDK's type of draft 7 lacks; it passes them on.
    inputSchema: jsonSchema(parameters as unknown as JSONSchema7),
    strict: tool.strict,
    ...(asks && { needsApproval }),
    execute: async (input: unknown, context: MastraCall): Promise<unknown> => {
      const result = await adapter.call(tool, callOf(input, context), asks && waiting.delete(canonicalJson(input)));
      if (result.error !== undefined) throw new ToolFailureError(result);
      return outputOf(result);
    },
    // Mastra passes the tool's result; the AI SDK passes an object that contains it.
    toModelOutput: ((output: unknown) => modelOutputOf(definition.name, output)) as unknown as NonNullable<
      ToolSet[string]["toModelOutput"]
    >,
  };
}
