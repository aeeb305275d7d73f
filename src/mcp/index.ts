export * from "./client/index.js";
export { type McpHandler, type McpHandlerOptions, mcpHandler } from "./server/mcp-handler.js";
export type { CloseOptions, McpServing } from "./server/mcp-serving.js";
export type { McpHttpOptions } from "./server/serve-http.js";
export { type McpTransport, type ServeMcpOptions, serveMcp } from "./server/serve-mcp.js";
export type {
  McpAccess,
  McpCaller,
  McpRequest,
  McpServerOptions,
  McpToolContext,
  McpTools,
  McpToolSource,
} from "./server/server-options.js";
