import { NoSuchToolError, type ToolCallRepairFunction, type ToolSet } from "ai";
import { parseArgumentsText, saysNothing } from "../../schema/internal.js";

/**
 * Reads arguments that are almost JSON (code fences, trailing commas, single quotes), as a Toolwright agent does. Without it, the
 * AI SDK rejects such a call before the tool runs. Pass it as `experimental_repairToolCall` (AI SDK 6) or `repairToolCall` (AI SDK
 * 7).
 *
 * ```ts
 * await generateText({ model, prompt, tools, experimental_repairToolCall: repairToolCall });
 * ```
 *
 * See docs/13-other-frameworks.md.
 */
export const repairToolCall: ToolCallRepairFunction<ToolSet> = async ({ toolCall, error }) => {
  if (NoSuchToolError.isInstance(error)) return null;
  if (saysNothing(toolCall.input)) return { ...toolCall, input: "{}" };
  const parsed = parseArgumentsText(toolCall.input);
  return parsed.ok ? { ...toolCall, input: JSON.stringify(parsed.value) } : null;
};
