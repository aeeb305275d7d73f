export type { McpElicitation, McpElicitationAnswer, OnMcpElicitation } from "./elicitation.js";
export { McpError } from "./mcp-error.js";
export type { McpHeaders, McpServerAddress, McpServerCommand, McpServerUrl } from "./mcp-server-address.js";
export {
  type ChangedMcpTool,
  type McpToolbox,
  type McpToolboxOptions,
  type McpToolSettings,
  mcpToolbox,
} from "./mcp-toolbox.js";
export type { McpToolDefinition, RefusedMcpTool } from "./mcp-tool.js";
export type { McpPinStore, McpPins } from "./pins.js";
