// Apart from the rest, so that what applications import names no type of the SDK: who only serves tools lacks its package.
import type { JsonSchema } from "../../schema/index.js";

/** What a server says of a tool, without the characters that people don't see. Nothing of it is to be trusted. */
export interface McpToolDefinition {
  /** As the server names it. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** Hints such as `readOnlyHint` (MCP, "Tool Annotations"). They change nothing by themselves. */
  readonly annotations: Readonly<Record<string, unknown>>;
}

/** A tool that the server lists, and that can't be used. */
export interface RefusedMcpTool {
  /** As the server names it, as far as that can be shown. */
  readonly tool: string;
  readonly reason: string;
}
