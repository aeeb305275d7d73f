import { NoSuchToolError, type ToolCallRepairFunction, type ToolSet } from "ai";
import { parseArgumentsText, saysNothing } from "../../schema/internal.js";

/**
 * Reads arguments that are almost JSON (fences, trailing commas, single quotes), as an agent of Toolwright does; the SDK alone
 * would refuse them before the tool sees them. For the option `experimental_repairToolCall` of AI SDK 6, `repairToolCall` of 7.
 *
 * ```ts
 * await generateText({ model, prompt, tools, experimental_repairToolCall: repairToolCall });
 * ```
 */
export const repairToolCall: ToolCallRepairFunction<ToolSet> = async ({ toolCall, error }) => {
  if (NoSuchToolError.isInstance(error)) return null;
  if (saysNothing(toolCall.input)) return { ...toolCall, input: "{}" };
  const parsed = parseArgumentsText(toolCall.input);
  return parsed.ok ? { ...toolCall, input: JSON.stringify(parsed.value) } : null;
};
