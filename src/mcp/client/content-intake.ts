import type { JSONRPCMessage, ProtocolEra, TextContent } from "@modelcontextprotocol/client";
import { isRecord } from "../../schema/internal.js";
import { withoutHidden } from "../../redaction/internal.js";
import type { Sdk } from "./load-sdk.js";

/** No model reads more, and each is checked. */
const mostParts = 1_000;

/** Of a name that a server gave, enough to find it. */
const longestShown = 60;

/**
 * Keeps the readable parts of a tool's result, and replaces the others by a note: parts of a later revision, and members that break the
 * protocol. For one such member the SDK would reject the whole result, of a call that has done its work. A
 * structure of null means none, if the protocol has no such structure.
 */
export function readContent(message: JSONRPCMessage, sdk: Sdk, era: ProtocolEra | undefined): void {
  if ("method" in message && message.method === "notifications/progress") dropNulls(message.params);
  const result: Fields = "result" in message && isRecord(message.result) ? message.result : {};
  if ("protocolVersion" in result) for (const fields of [result, result.serverInfo, result.capabilities]) dropNulls(fields);
  if (!("content" in result || "structuredContent" in result || "isError" in result) || "tools" in result) return;
  if ("isError" in result && typeof result.isError !== "boolean") result.isError = /^(true|1)$/i.test(String(result.isError));
  const given = partsOf(result.content);
  const length = given.length;
  const parts: unknown[] = given.slice(0, mostParts).map((part) => readable(part, sdk) ?? noteOn(part));
  if (length > mostParts) parts.push({ type: "text", text: `[Left out: ${length - mostParts} more parts of ${length}.]` });
  if (era === "legacy" && "structuredContent" in result && !isRecord(result.structuredContent)) {
    const { structuredContent } = result;
    delete result.structuredContent;
    // That revision has objects only. The value is shown as text if the server sent none.
    if (structuredContent !== null) parts.push(...shownBeside(parts, structuredContent));
  }
  result.content = parts;
}

type Fields = Record<string, unknown>;

/** Some languages write what is absent so. */
function dropNulls(fields: unknown): void {
  if (isRecord(fields)) for (const [name, member] of Object.entries(fields)) if (member === null) delete fields[name];
}

/** The parts of a content that may be a single part, a text or nothing. */
function partsOf(content: unknown): readonly unknown[] {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}

/** What is added to the parts for a structure that can't stand in its place; nothing if one of them says the same. */
function shownBeside(parts: readonly unknown[], structure: unknown): TextContent[] {
  const text = textOf(structure);
  const texts = parts.filter(isText).map((part) => part.text);
  if (texts.length === 0) return [{ type: "text", text }];
  if (texts.some((other) => isSameJson(other, text))) return [];
  const kind = Array.isArray(structure) ? "list" : typeof structure;
  return [{ type: "text", text: `[Left out: structuredContent that is a ${kind} instead of an object, ${text.length} characters long.]` }];
}

function isSameJson(one: string, other: string): boolean {
  try {
    return one === other || JSON.stringify(JSON.parse(one)) === other;
  } catch {
    return false;
  }
}

const isText = (part: unknown): part is TextContent => isRecord(part) && part.type === "text";

const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** The part, a text as a part, or the part without members that say nothing of its content; undefined if none can be read. */
function readable(part: unknown, sdk: Sdk): unknown {
  if (typeof part === "string") return { type: "text", text: part };
  if (isReadable(part, sdk)) return part;
  if (!isRecord(part)) return undefined;
  const { _meta, annotations, ...content } = part;
  return isReadable(content, sdk) ? content : undefined;
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
