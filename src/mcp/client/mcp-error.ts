/** What went wrong with an MCP server, in words for a model: what to do next, and no credential. */
export class McpError extends Error {
  override readonly name = "McpError";
}
