import { type Toolbox, ToolDefinitionError } from "../../tool/index.js";
import { nearestName, type OptionNames, type ToolPolicy } from "../../tool/internal.js";
import type { OnMcpElicitation } from "./elicitation.js";
import { checkAddress, type McpServerAddress } from "./mcp-server-address.js";
import type { McpToolDefinition, RefusedMcpTool } from "./mcp-tool.js";
import { FilePins, type McpPinStore, MemoryPins } from "./pins.js";
import { RemoteToolbox } from "./remote-toolbox.js";

/**
 * Settings that your application gives to a remote tool: category, confirmation, timeout and everything else that `createTool`
 * takes as policy.
 */
export type McpToolSettings = Partial<ToolPolicy>;

/** Options of `mcpToolbox`. See docs/12-mcp.md. */
export interface McpToolboxOptions {
  /** Your name of the server. The names of its tools start with it: `files` makes `files_read_file`. */
  readonly prefix: string;
  /**
   * The store of the hashes of accepted definitions: the path of a JSON file, or a store. Default: in memory, as long as the
   * toolbox exists.
   */
  readonly pin?: string | McpPinStore;
  /**
   * Returns what the server can't be trusted to say about its tools: category, confirmation, timeout, ... Called once for each
   * definition.
   */
  readonly settings?: (tool: McpToolDefinition) => McpToolSettings;
  /**
   * Asks the user for data that a server needs during a call, and returns it, or `undefined` if the user declines. Without this
   * option, servers see that elicitation isn't supported.
   *
   * The tool's timeout continues to run: increase it with `settings`.
   */
  readonly onElicitation?: OnMcpElicitation;
}

/** A tool whose definition differs from the accepted one. */
export interface ChangedMcpTool {
  /** The name with the prefix. */
  readonly tool: string;
  /** Whether the tool was added or changed since. */
  readonly change: "new" | "changed";
  /** The server's current definition. */
  readonly definition: McpToolDefinition;
}

/** The tools of an MCP server. See docs/12-mcp.md. */
export interface McpToolbox extends Toolbox {
  /** The tools that the server lists now and whose definitions were accepted. */
  readonly tools: Toolbox["tools"];
  /** Tools that can't be used, with the reasons. */
  readonly refused: readonly RefusedMcpTool[];
  /** Tools that are new or whose definition changed. They can't be called until you accept them. */
  readonly changed: readonly ChangedMcpTool[];
  /**
   * Accepts definitions that a person has reviewed: `await toolbox.accept(toolbox.changed)`. They are then in `tools`. Classes that
   * you took from `tools` before keep the old definition.
   */
  accept(changes: readonly ChangedMcpTool[]): Promise<void>;
  /** Closes the connection; ends the server if it is a process. */
  close(): Promise<void>;
}

const optionNames: OptionNames<McpToolboxOptions> = { prefix: true, pin: true, settings: true, onElicitation: true };

/**
 * Connects to an MCP server and makes a tool of each of its tools. The executor checks, limits, confirms and records them like any
 * other tool.
 *
 * ```ts
 * const files = await mcpToolbox(
 *   { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "./notes"] },
 *   { prefix: "files", pin: "./files.mcp.json", settings: ({ name }) => ({ requiresConfirmation: name !== "read_text_file" }) },
 * );
 * ```
 *
 * Give the toolbox to an agent with `@usesTools(files)`, and call `await files.close()` at the end. Supports revision 2026-07-28
 * and earlier ones. Needs the package `@modelcontextprotocol/client`.
 *
 * The definitions of the first connection are accepted, and their hashes are kept. A tool that is added or changed later is listed
 * in `changed` and can't be called until you accept it.
 *
 * Rejects with `ToolDefinitionError` for an invalid option, a missing package or unreadable pins, and with `McpError` if the server
 * can't be started or reached. See docs/12-mcp.md.
 */
export async function mcpToolbox(server: McpServerAddress, options: McpToolboxOptions): Promise<McpToolbox> {
  checkAddress(server);
  const { prefix, pin } = checkOptions(options);
  const pins = typeof pin === "string" ? new FilePins(pin, prefix) : (pin ?? new MemoryPins());
  const toolbox = new RemoteToolbox(prefix, server, pins, options);
  try {
    await toolbox.refresh();
    return toolbox;
  } catch (error) {
    await toolbox.close();
    throw error;
  }
}

function checkOptions(options: McpToolboxOptions): McpToolboxOptions {
  const { prefix } = options ?? {};
  if (typeof prefix !== "string" || !/^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(prefix)) {
    throw new ToolDefinitionError(
      `mcpToolbox: prefix must be what you call the server, a letter and up to 31 more letters, digits, "_" or "-", such as "files"; got ${JSON.stringify(prefix)}.`,
    );
  }
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(optionNames, name)) continue;
    const known = Object.keys(optionNames);
    const nearest = nearestName(name, known);
    const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
    throw new ToolDefinitionError(`mcpToolbox "${prefix}": unknown option "${name}". There are ${known.join(", ")}.${hint}`);
  }
  return options;
}
