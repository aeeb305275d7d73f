import { ToolDefinitionError } from "../../tool/index.js";
import { insteadOfName } from "../../tool/internal.js";

/** An MCP server that is started as a process and uses standard input and output. See docs/12-mcp.md. */
export interface McpServerCommand {
  /** The program to start: `"npx"`. */
  readonly command: string;
  /** The arguments of the program. */
  readonly args?: readonly string[];
  /**
   * Environment variables for the server, in addition to those that any program needs (`PATH`, `HOME`, ...). It gets no other
   * variables of this process, so that no key leaks.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory of the server. Default: that of this process. */
  readonly cwd?: string;
}

/** An MCP server that is reached over HTTP (Streamable HTTP). See docs/12-mcp.md. */
export interface McpServerUrl {
  /** The endpoint of the server: `"https://example.com/mcp"`. */
  readonly url: string | URL;
  /** Headers of every request. */
  readonly headers?: McpHeaders;
}

/**
 * Headers of every request. A function is called before each request, for tokens that expire.
 *
 * They aren't sent to another origin after a redirect.
 */
export type McpHeaders =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** The address of an MCP server: a command to start, or a URL. See docs/12-mcp.md. */
export type McpServerAddress = McpServerCommand | McpServerUrl;

const commandKeys: readonly string[] = ["command", "args", "env", "cwd"];
const urlKeys: readonly string[] = ["url", "headers"];

/** Throws a `ToolDefinitionError`, whose message never contains the value of a variable or header. */
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

/** `--api-key=...`, `API_KEY=...`, `Authorization: Bearer ...`. */
const assignment = /^-*(?!-)([\w.-]+)(?:=|: *)(.+)$/s;

/** What an address says by name and value, headers aside: it may come back in what the server says. */
export function namedValues(address: McpServerAddress): (readonly [name: string, value: string])[] {
  if ("url" in address) return [...new URL(address.url).searchParams];
  const { args = [], env = {} } = address;
  return [...Object.entries(env), ...args.flatMap((argument, index) => namedValuesOf(argument, args[index + 1]))];
}

function namedValuesOf(argument: string, next: string | undefined): (readonly [string, string])[] {
  const [, name, value] = assignment.exec(argument) ?? [];
  if (name !== undefined && value !== undefined) return [[name, value]];
  return argument.startsWith("-") && next !== undefined ? [[argument.replace(/^-+/, ""), next]] : [];
}
