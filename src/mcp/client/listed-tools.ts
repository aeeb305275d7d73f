import type { JSONRPCMessage, ProtocolEra, Tool } from "@modelcontextprotocol/client";
import { isRecord } from "../../schema/internal.js";
import { withoutHidden } from "../../redaction/internal.js";
import type { Sdk } from "./load-sdk.js";
import type { RefusedMcpTool } from "./mcp-tool.js";

/** What a server lists. */
export interface ToolList {
  readonly tools: readonly Tool[];
  readonly refused: readonly RefusedMcpTool[];
}

/** What is read of a tool; the rest (icons, `_meta`) may be whatever it likes. */
const members = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"] as const;

/** More than that are no tools of use to a model, and none that a person has looked at. */
const mostTools = 1_000;

/** Reads what comes of one list, page by page, before the SDK does. */
export class ListIntake {
  readonly #refused: RefusedMcpTool[] = [];
  #listed = 0;

  /** What can't be used of the pages so far, each with the reason. */
  get refused(): readonly RefusedMcpTool[] {
    if (this.#listed <= mostTools) return this.#refused;
    const reason = `the server lists ${this.#listed} tools; the first ${mostTools} are read.`;
    return [...this.#refused, { tool: `${this.#listed - mostTools} more`, reason }];
  }

  /**
   * Takes the tools that are too many, and those that aren't as the protocol wants them, out of a message that lists tools: the SDK
   * would reject the whole list. Many servers send a schema without type at its root, and members that are null: these are
   * repaired.
   */
  clean(message: JSONRPCMessage, sdk: Sdk, era: ProtocolEra | undefined): void {
    const result = "result" in message ? (message.result as { tools?: unknown; nextCursor?: unknown }) : {};
    if (!Array.isArray(result.tools)) return;
    if (result.nextCursor === null) delete result.nextCursor;
    const readable = result.tools.slice(0, Math.max(0, mostTools - this.#listed));
    this.#listed += result.tools.length;
    result.tools = readable.map(repaired).filter((tool: unknown) => {
      const reason = faultOf(tool, sdk, era);
      if (reason !== undefined) this.#refused.push({ tool: shownName(tool), reason });
      return reason === undefined;
    });
  }
}

function repaired(tool: unknown): unknown {
  if (!isRecord(tool)) return tool;
  const kept = Object.fromEntries(members.flatMap((name) => (tool[name] === undefined || tool[name] === null ? [] : [[name, tool[name]]])));
  const { inputSchema } = kept;
  return isRecord(inputSchema) && inputSchema.type === undefined ? { ...kept, inputSchema: { type: "object", ...inputSchema } } : kept;
}

function faultOf(tool: unknown, sdk: Sdk, era: ProtocolEra | undefined): string | undefined {
  // The SDK's own check would end in an overflow of the stack.
  if (isDeeper(tool, deepest)) return `it is nested more than ${deepest} levels deep.`;
  const fault = mismatchOf(tool, sdk);
  if (fault !== undefined) return `it isn't as the protocol wants a tool${fault}`;
  const { outputSchema } = tool as Tool;
  if (era !== "legacy" || outputSchema === undefined) return undefined;
  // Older revisions want of it what all of them want of an inputSchema.
  const outputFault = mismatchOf({ name: "", inputSchema: outputSchema }, sdk);
  return (
    outputFault && `its outputSchema isn't as its revision of the protocol wants it${outputFault.replace("inputSchema", "outputSchema")}`
  );
}

/** The place and the reason if a value isn't a tool of the protocol. */
function mismatchOf(tool: unknown, sdk: Sdk): string | undefined {
  const { issues } = sdk.specTypeSchemas.Tool["~standard"].validate(tool);
  const issue = issues?.[0];
  if (issue === undefined) return undefined;
  const place = (issue.path ?? []).map((part) => (typeof part === "object" ? part.key : part)).join(".");
  return `${place === "" ? "" : `, at ${place}`}: ${issue.message}.`;
}

/** No schema of use is deeper. */
const deepest = 200;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" && value !== null && (levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1)));

/** Long enough to find it. */
const longestShown = 100;

export const shownName = (tool: unknown): string => {
  const name = isRecord(tool) ? tool.name : undefined;
  return typeof name === "string" ? withoutHidden(name).slice(0, longestShown) : "(no name)";
};
