import type { JSONRPCMessage, ProtocolEra, TextContent } from "@modelcontextprotocol/client";
import { isRecord } from "../../../schema/internal.js";
import { withoutHidden } from "../../../tool/internal.js";
import type { Sdk } from "./load-sdk.js";

/** No model reads more, and each is checked. */
const mostParts = 1_000;

/** Of a name that a server gave, enough to find it. */
const longestShown = 60;

/**
 * Puts a note in the place of each part of a tool's result that can't be read: a kind of a later revision, or one that isn't as the
 * protocol wants it. For one such part the SDK would refuse the whole result, of a call that has done its work. A structure of null
 * means none, where the protocol has no such structure.
 */
export function readContent(message: JSONRPCMessage, sdk: Sdk, era: ProtocolEra | undefined): void {
  const result = "result" in message ? (message.result as { content?: unknown; structuredContent?: unknown }) : {};
  if (era === "legacy" && result.structuredContent === null) delete result.structuredContent;
  if (!Array.isArray(result.content)) return;
  const { length } = result.content;
  const parts: unknown[] = result.content.slice(0, mostParts).map((part: unknown) => (isReadable(part, sdk) ? part : noteOn(part)));
  if (length > mostParts) parts.push({ type: "text", text: `[Left out: ${length - mostParts} more parts of ${length}.]` });
  result.content = parts;
}

const isReadable = (part: unknown, sdk: Sdk): boolean => sdk.specTypeSchemas.ContentBlock["~standard"].validate(part).issues === undefined;

function noteOn(part: unknown): TextContent {
  const kind = isRecord(part) && typeof part.type === "string" ? withoutHidden(part.type).slice(0, longestShown) : "(none)";
  return {
    type: "text",
    text: `[Left out: a part of the kind ${JSON.stringify(kind)} that can't be read, ${sizeOf(part)} characters long.]`,
  };
}

/** Without a copy of what may be megabytes, and nested as deep as the server likes. */
function sizeOf(part: unknown): number {
  let size = 0;
  const open = [part];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "object" && value !== null) for (const [name, member] of Object.entries(value)) open.push(name, member);
    else size += String(value).length;
  }
  return size;
}
