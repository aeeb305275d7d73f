/** A server that runs. */
export interface McpServing {
  /** Where it listens, over HTTP: `http://127.0.0.1:3000/mcp`. */
  readonly url?: string;
  /** Tells the clients that listen for it that their lists of tools may have changed. */
  notifyToolsChanged(): void;
  /** Ends all calls and connections. */
  close(): Promise<void>;
}
