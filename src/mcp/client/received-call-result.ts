import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { type Attachment, failure, json, text, type ToolResponse } from "../../tool/index.js";
import { fileNameInUrl, type GivenPart, isShownToModels, jsonWith, readAttachment } from "../../tool/internal.js";

/**
 * The result of a remote tool as a normal tool result: structured content unchanged, texts as one text, and a mixture as the list of
 * its parts. Images and PDFs are attachments; other bytes (audio, archives, a damaged image) are reduced to type and size, because
 * as base64 they would fill a model's context. A text beside structured content says the same for clients that read none (MCP,
 * "Structured Content"); other parts say more. They are added to it, unless the tool has an output schema, which has no place for
 * them: then `leftOut` gets them.
 */
export function responseOf(
  { content = [], structuredContent, isError }: CallToolResult,
  hasOutputSchema: boolean,
  leftOut: (parts: readonly unknown[]) => void,
): ToolResponse {
  if (isError === true) return failure(failureText(content, structuredContent));
  const read = content.map(readBlock);
  const faults = read.flatMap(({ fault }) => fault ?? []);
  if (structuredContent === undefined && faults.length > 0 && faults.length === read.length) return failure(faults.join(" "));
  const attachments = read.flatMap(({ attachment }) => attachment ?? []);
  const shown = attachments.length === 0 ? undefined : attachments;
  const others = content.filter(({ type }, index) => type !== "text" && read[index]?.attachment === undefined).map(explained);
  if (structuredContent !== undefined) {
    if (others.length === 0) return jsonWith(structuredContent, shown);
    if (!hasOutputSchema) return jsonWith({ structuredContent, content: content.map(explained) }, shown);
    leftOut(others);
    return jsonWith(structuredContent, shown);
  }
  if (content.length === 0) return json(null);
  if (shown !== undefined)
    return json(content.map((block, index) => read[index]?.attachment ?? (block.type === "text" ? block.text : explained(block))));
  return others.length === 0 ? text(content.map(lineOf).join("\n")) : json(content.map(explained));
}

/** A block that holds an image or a PDF, or what is wrong with it. */
interface ReadBlock {
  readonly attachment?: Attachment;
  readonly fault?: string;
}

function readBlock(block: ContentBlock): ReadBlock {
  const given = givenPart(block);
  if (given === undefined) return {};
  const read = readAttachment(given);
  if (!read.ok) return { fault: read.error };
  return typeof read.value === "string" ? {} : { attachment: read.value };
}

function givenPart(block: ContentBlock): GivenPart | undefined {
  if (block.type === "image") return { type: "image", mediaType: block.mimeType, data: block.data };
  if (block.type !== "resource" || !("blob" in block.resource)) return undefined;
  const { uri, mimeType = "", blob } = block.resource;
  const filename = fileNameInUrl(uri);
  return isShownToModels(mimeType)
    ? { type: "file", mediaType: mimeType, data: blob, ...(filename !== undefined && { filename }) }
    : undefined;
}

function failureText(content: readonly ContentBlock[], structuredContent: unknown): string {
  const text = content.map(lineOf).join("\n");
  if (text !== "") return text;
  return structuredContent === undefined ? "The tool failed, and gave no reason." : JSON.stringify(structuredContent);
}

const lineOf = (block: ContentBlock): string => (block.type === "text" ? block.text : JSON.stringify(partOf(block)));

function partOf(block: ContentBlock): object {
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

/** The part, with the reason why an image or a PDF isn't shown. */
function explained(block: ContentBlock): unknown {
  const { fault } = readBlock(block);
  return fault === undefined ? partOf(block) : { ...partOf(block), note: fault };
}
