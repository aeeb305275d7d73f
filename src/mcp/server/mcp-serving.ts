import { checkOptionNames, type OptionNames } from "../../tool/internal.js";

/** A running MCP server, returned by `serveMcp`. */
export interface McpServing {
  /** The URL over HTTP: `http://127.0.0.1:3000/mcp`. Absent for other transports. */
  readonly url?: string;
  /** Notifies subscribed clients that their list of tools may have changed. */
  notifyToolsChanged(): void;
  /** Ends all calls and connections. Calls under way may end first, if there is a `deadline`. */
  close(options?: CloseOptions): Promise<void>;
}

/** Options of `close` of an MCP server. */
export interface CloseOptions {
  /** Milliseconds that calls under way have to end. Further calls are refused meanwhile. Default: 0. */
  readonly deadline?: number;
}

const optionNames: OptionNames<CloseOptions> = { deadline: true };

export function checkCloseOptions(options: CloseOptions): void {
  checkOptionNames(options, optionNames, "close");
  const { deadline = 0 } = options;
  if (typeof deadline === "number" && deadline >= 0) return;
  throw new RangeError(`close: deadline is ${deadline}, but is a number of milliseconds: give at least 0.`);
}
