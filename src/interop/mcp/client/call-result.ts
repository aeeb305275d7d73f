import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { failure, json, text, type ToolResponse } from "../../../tool/index.js";

/**
 * What a remote tool gave, as a result like any other: structured content as it is, texts as one text, and of a mixture the list of
 * its parts. Bytes (images, audio, files) are told by type and size: a model can't read them, and as base64 they would fill its
 * context.
 */
export function responseOf({ content, structuredContent, isError }: CallToolResult): ToolResponse {
  const blocks = content ?? [];
  if (isError === true) return failure(textOf(blocks) || "The tool failed, and gave no reason.");
  if (structuredContent !== undefined) return json(structuredContent);
  if (blocks.length === 0) return json(null);
  return blocks.every((block) => block.type === "text") ? text(textOf(blocks)) : json(blocks.map(partOf));
}

const textOf = (blocks: readonly ContentBlock[]): string =>
  blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");

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
