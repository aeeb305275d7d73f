/** A running MCP server, returned by `serveMcp`. */
export interface McpServing {
  /** The URL over HTTP: `http://127.0.0.1:3000/mcp`. Absent for other transports. */
  readonly url?: string;
  /** Notifies subscribed clients that their list of tools may have changed. */
  notifyToolsChanged(): void;
  /** Ends all calls and connections. */
  close(): Promise<void>;
}
