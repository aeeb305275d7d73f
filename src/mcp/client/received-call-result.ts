import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { failure, json, text, type ToolResponse } from "../../tool/index.js";

/**
 * The result of a remote tool as a normal tool result: structured content unchanged, texts as one text, and a mixture as the list of
 * its parts. Bytes (images, audio, files) are reduced to type and size: a model can't read them, and as base64 they would fill its
 * context. A text beside structured content says the same for clients that read none (MCP, "Structured Content"); other parts say
 * more. They are added to it, unless the tool has an output schema, which has no place for them: then `leftOut` gets them.
 */
export function responseOf(
  { content = [], structuredContent, isError }: CallToolResult,
  hasOutputSchema: boolean,
  leftOut: (parts: readonly unknown[]) => void,
): ToolResponse {
  if (isError === true) return failure(failureText(content, structuredContent));
  const parts = content.filter(({ type }) => type !== "text").map(partOf);
  if (structuredContent !== undefined) {
    if (parts.length === 0) return json(structuredContent);
    if (!hasOutputSchema) return json({ structuredContent, content: content.map(partOf) });
    leftOut(parts);
    return json(structuredContent);
  }
  if (content.length === 0) return json(null);
  return parts.length === 0 ? text(content.map(lineOf).join("\n")) : json(content.map(partOf));
}

function failureText(content: readonly ContentBlock[], structuredContent: unknown): string {
  const text = content.map(lineOf).join("\n");
  if (text !== "") return text;
  return structuredContent === undefined ? "The tool failed, and gave no reason." : JSON.stringify(structuredContent);
}

const lineOf = (block: ContentBlock): string => (block.type === "text" ? block.text : JSON.stringify(partOf(block)));

function partOf(block: ContentBlock): unknown {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
    case "audio":
      return { type: block.type, mimeType: block.mimeType, bytes: Buffer.byteLength(block.data, "base64") };
    case "resource_link": {
      const { type, uri, name, title, description, mimeType, size } = block;
      return { type, uri, name, title, description, mimeType, size };
    }
    case "resource": {
      const { uri, mimeType } = block.resource;
      const held = "text" in block.resource ? { text: block.resource.text } : { bytes: Buffer.byteLength(block.resource.blob, "base64") };
      return { type: "resource", uri, mimeType, ...held };
    }
  }
}
