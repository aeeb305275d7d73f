import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { modelText, validateToolOutput } from "../../execution/index.js";
import { isRecord } from "../../schema/internal.js";
import type { Attachment, ToolClass, ToolResult } from "../../tool/index.js";
import { splitAtNotes } from "../../tool/internal.js";

/** A failed result that the client's model reads, to try again or to say so. */
export const failedCall = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

/** A tool's result in MCP's form: the text that a model reads, with images and files in their places, and the data if it is structured. */
export function callResult(toolClass: ToolClass, result: ToolResult): CallToolResult {
  const text = modelText(result);
  if (result.error !== undefined) return failedCall(text);
  const { data, attachments } = result;
  const { outputSchema } = toolClass.definition;
  const content = attachments === undefined ? [textBlock(text)] : splitAtNotes(text, attachments).map(blockOf);
  if (outputSchema === undefined && !isRecord(data)) return { content };
  // What was too large became a text with its middle left out, and files alone have none of the structure that is promised.
  if (outputSchema !== undefined && typeof data === "string" && !validateToolOutput(toolClass, data).ok) return { content, isError: true };
  // Data is JSON without known secrets already, as the executor left it.
  const structuredContent = data as NonNullable<CallToolResult["structuredContent"]>;
  return { content, structuredContent };
}

const textBlock = (text: string): ContentBlock => ({ type: "text", text });

/** A resource has a URI; that of a file that exists in the result alone says its name. */
function blockOf(piece: string | Attachment): ContentBlock {
  if (typeof piece === "string") return textBlock(piece);
  const { type, mediaType, data } = piece;
  if (type === "image") return { type: "image", mimeType: mediaType, data };
  const uri = `attachment:///${encodeURIComponent(piece.filename ?? "file.pdf")}`;
  return { type: "resource", resource: { uri, mimeType: mediaType, blob: data } };
}
