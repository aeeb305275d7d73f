import { ToolDefinitionError } from "../../tool/index.js";
import { insteadOfName } from "../../tool/internal.js";

/** A server that is a program: it is started, and spoken with over its standard input and output. */
export interface McpServerCommand {
  readonly command: string;
  readonly args?: readonly string[];
  /**
   * Variables that the server gets besides those that any program needs (`PATH`, `HOME`, ...). It gets no others of this process,
   * so that no key leaks.
   */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A server that is reached over HTTP (MCP, "Streamable HTTP"). */
export interface McpServerUrl {
  readonly url: string | URL;
  readonly headers?: McpHeaders;
}

/** Sent with every request; a function is asked before each, for tokens that expire. They never follow a redirect to another origin. */
export type McpHeaders =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

export type McpServerAddress = McpServerCommand | McpServerUrl;

const commandKeys: readonly string[] = ["command", "args", "env", "cwd"];
const urlKeys: readonly string[] = ["url", "headers"];

/** Throws `ToolDefinitionError`, which never tells a variable's or a header's value. */
export function checkAddress(address: McpServerAddress): void {
  const keys = typeof address === "object" && address !== null ? Object.keys(address) : [];
  const known = keys.includes("url") ? urlKeys : commandKeys;
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new ToolDefinitionError(`mcpToolbox: a server has no "${unknown}" beside ${known.join(", ")}. ${insteadOfName(unknown, known)}`);
  if ("url" in address) {
    const url = URL.canParse(String(address.url)) ? new URL(address.url) : undefined;
    if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return;
    throw new ToolDefinitionError(
      'mcpToolbox: url must be a whole http or https URL without user and password, such as "https://mcp.example.com/mcp". Send credentials by headers.',
    );
  }
  if (typeof address?.command !== "string" || address.command === "") {
    throw new ToolDefinitionError('mcpToolbox: takes { command: "node", args: ["server.js"] } or { url: "https://mcp.example.com/mcp" }.');
  }
}
