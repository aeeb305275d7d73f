/** A problem with an MCP server. The message is for a model: it says what to do next and contains no credential. See docs/12-mcp.md. */
export class McpError extends Error {
  override readonly name = "McpError";
}
