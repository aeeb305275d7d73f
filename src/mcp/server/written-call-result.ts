import type { CallToolResult } from "@modelcontextprotocol/server";
import { modelText, validateToolOutput } from "../../execution/index.js";
import { isRecord } from "../../schema/internal.js";
import type { ToolClass, ToolResult } from "../../tool/index.js";

/** A failed result that the client's model reads, to try again or to say so. */
export const failedCall = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

/** A tool's result in MCP's form: the text that a model reads, and the data if it is structured. */
export function callResult(toolClass: ToolClass, result: ToolResult): CallToolResult {
  const text = modelText(result);
  if (result.error !== undefined) return failedCall(text);
  const { data } = result;
  const { outputSchema } = toolClass.definition;
  if (outputSchema === undefined && !isRecord(data)) return { content: [{ type: "text", text }] };
  // What was too large became a text with its middle left out, which is no structure of the promised kind any more.
  if (outputSchema !== undefined && typeof data === "string" && !validateToolOutput(toolClass, data).ok) return failedCall(text);
  // Data is JSON without known secrets already, as the executor left it.
  const structuredContent = data as NonNullable<CallToolResult["structuredContent"]>;
  return { content: [{ type: "text", text }], structuredContent };
}
