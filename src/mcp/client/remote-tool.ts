import type { Tool } from "@modelcontextprotocol/client";
import { canonicalHash } from "../../execution/internal.js";
import { acceptSchema, type JsonSchema } from "../../schema/index.js";
import type { Steps } from "../../timing/index.js";
import { refuseHiddenParameters, withVisibleTexts } from "../../tool/internal.js";
import { withoutHidden } from "../../redaction/internal.js";
import type { McpToolDefinition, RefusedMcpTool } from "./mcp-tool.js";
import { shownName, type ToolList } from "./listed-tools.js";

/** A tool as it was listed. */
export interface RemoteTool {
  /** With the prefix, in letters that models and registries take. */
  readonly toolName: string;
  readonly definition: McpToolDefinition;
  /** SHA-256 over all that the definition says, hidden characters included; hexadecimal. */
  readonly hash: string;
  /** The tool as the server listed it, for calls to the server. */
  readonly listed: Tool;
}

/** Characters of a definition's JSON: a model reads it at every step. */
const largestDefinition = 64_000;

/** Characters of a name with its prefix. */
const longestName = 128;

/** The tools of a list that can be used, and the others. */
interface ReadTools {
  readonly tools: readonly RemoteTool[];
  readonly refused: readonly RefusedMcpTool[];
}

/** Reads what a server lists, one definition a step; whatever can't be used is left out and named. */
export function* readTools({ tools, refused: malformed }: ToolList, prefix: string): Steps<ReadTools> {
  const refused = [...malformed];
  const read: RemoteTool[] = [];
  for (const tool of tools) {
    yield;
    try {
      const one = readTool(tool, prefix);
      // Some servers end their pages by the first one.
      if (!read.some(({ hash }) => hash === one.hash)) read.push(one);
    } catch (error) {
      refused.push({ tool: shownName(tool), reason: (error as Error).message });
    }
  }
  return { tools: read.filter((tool) => isNamedOnce(tool, read, refused)), refused };
}

function readTool(listed: Tool, prefix: string): RemoteTool {
  const { length } = JSON.stringify(listed);
  if (length > largestDefinition)
    throw new Error(`its definition has ${length} characters; ${largestDefinition} are the most that is read.`);
  const name = withoutHidden(listed.name);
  const toolName = `${prefix}_${name.replace(/[^A-Za-z0-9_.-]+/g, "_")}`;
  if (name.trim() === "") throw new Error("its name is empty.");
  if (toolName.length > longestName)
    throw new Error(
      `with the prefix, its name has ${toolName.length} characters; ${longestName} are the most that a tool's name may have.`,
    );
  refuseHiddenParameters(Object.keys(listed.inputSchema.properties ?? {}), toolName);
  const { title, description = "", inputSchema, outputSchema, annotations = {} } = listed;
  const described = { name: listed.name, title, description, inputSchema, outputSchema, annotations };
  return {
    toolName,
    definition: {
      name,
      ...(title !== undefined && { title: withoutHidden(title) }),
      description: withoutHidden(description).trim() || withoutHidden(title ?? "").trim() || `Calls ${name}.`,
      inputSchema: readSchema(inputSchema, "inputSchema"),
      ...(outputSchema !== undefined && { outputSchema: readSchema(outputSchema, "outputSchema") }),
      annotations: withVisibleHints(annotations),
    },
    hash: canonicalHash(described),
    listed,
  };
}

const withVisibleHints = (annotations: Readonly<Record<string, unknown>>): McpToolDefinition["annotations"] =>
  Object.fromEntries(Object.entries(annotations).map(([name, hint]) => [name, typeof hint === "string" ? withoutHidden(hint) : hint]));

/** Throws if a schema is none (references lead out of it, ...), each checked by itself, whatever `$id` it has. */
const readSchema = (schema: unknown, owner: string): JsonSchema => acceptSchema(withVisibleTexts(schema), { owner });

/** MCP, "Tool Names": unique within a server. A call couldn't say which of two it means. */
function isNamedOnce(tool: RemoteTool, all: readonly RemoteTool[], refused: RefusedMcpTool[]): boolean {
  const other = all.find((candidate) => candidate !== tool && candidate.toolName === tool.toolName);
  if (other === undefined) return true;
  refused.push({
    tool: shownName(tool.listed),
    reason: `another one of the server, "${shownName(other.listed)}", would be named ${tool.toolName} as well.`,
  });
  return false;
}
