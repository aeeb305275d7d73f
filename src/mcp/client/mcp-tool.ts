// Apart from the rest, so that what applications import names no type of the SDK: who only serves tools lacks its package.
import type { JsonSchema } from "../../schema/index.js";

/** The definition of a tool as its MCP server sends it, without invisible characters. Don't trust it. See docs/12-mcp.md. */
export interface McpToolDefinition {
  /** The server's name of the tool. */
  readonly name: string;
  readonly title?: string;
  /** The server's description; invisible characters are removed. */
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** Hints such as `readOnlyHint`. They have no effect by themselves. */
  readonly annotations: Readonly<Record<string, unknown>>;
}

/** A tool that the server lists but that can't be used. */
export interface RefusedMcpTool {
  /** The server's name of the tool, as far as it can be displayed. */
  readonly tool: string;
  /** Why it can't be used. */
  readonly reason: string;
}
