import type { JSONRPCMessage, ProtocolEra, Tool } from "@modelcontextprotocol/client";
import type { Sdk } from "./load-sdk.js";
import type { RefusedMcpTool } from "./mcp-tool.js";
import { visibleText } from "./visible-text.js";

/** What a server lists. */
export interface ToolList {
  readonly tools: readonly Tool[];
  readonly refused: readonly RefusedMcpTool[];
}

/** What is read of a tool; the rest (icons, `_meta`) may be whatever it likes. */
const members = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"] as const;

/**
 * Takes the tools that aren't as the protocol wants them out of a message that lists tools, and names them: the SDK would refuse
 * the whole list. A schema without type at its root, and members that are null, are what many servers send: they are mended.
 */
export function takeOutMalformed(message: JSONRPCMessage, sdk: Sdk, era: ProtocolEra | undefined): readonly RefusedMcpTool[] {
  const result = "result" in message ? (message.result as { tools?: unknown }) : {};
  if (!Array.isArray(result.tools)) return [];
  const refused: RefusedMcpTool[] = [];
  result.tools = result.tools.map(mended).filter((tool: unknown) => {
    const reason = faultOf(tool, sdk, era);
    if (reason !== undefined) refused.push({ tool: shownName(tool), reason });
    return reason === undefined;
  });
  return refused;
}

function mended(tool: unknown): unknown {
  if (!isRecord(tool)) return tool;
  const kept = Object.fromEntries(members.flatMap((name) => (tool[name] === undefined || tool[name] === null ? [] : [[name, tool[name]]])));
  const { inputSchema } = kept;
  return isRecord(inputSchema) && inputSchema.type === undefined ? { ...kept, inputSchema: { type: "object", ...inputSchema } } : kept;
}

function faultOf(tool: unknown, sdk: Sdk, era: ProtocolEra | undefined): string | undefined {
  // The SDK's own check would end in an overflow of the stack.
  if (isDeeper(tool, deepest)) return `it is nested more than ${deepest} levels deep.`;
  const { issues } = sdk.specTypeSchemas.Tool["~standard"].validate(tool);
  const issue = issues?.[0];
  if (issue !== undefined) {
    const place = (issue.path ?? []).map((part) => (typeof part === "object" ? part.key : part)).join(".");
    return `it isn't as the protocol wants a tool${place === "" ? "" : `, at ${place}`}: ${issue.message}.`;
  }
  const { outputSchema } = tool as Tool;
  return era === "legacy" && outputSchema !== undefined && outputSchema.type !== "object"
    ? "the root of its outputSchema isn't of type object, as its revision of the protocol wants it."
    : undefined;
}

/** No schema of use is deeper. */
const deepest = 200;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" && value !== null && (levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1)));

/** Long enough to find it. */
const longestShown = 100;

export const shownName = (tool: unknown): string => {
  const name = isRecord(tool) ? tool.name : undefined;
  return typeof name === "string" ? visibleText(name).slice(0, longestShown) : "(no name)";
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
