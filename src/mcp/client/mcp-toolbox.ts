import { type Toolbox, ToolDefinitionError } from "../../tool/index.js";
import { nearestName, type OptionNames, type ToolPolicy } from "../../tool/internal.js";
import type { OnMcpElicitation } from "./elicitation.js";
import { checkAddress, type McpServerAddress } from "./mcp-server-address.js";
import type { McpToolDefinition, RefusedMcpTool } from "./mcp-tool.js";
import { FilePins, type McpPinStore, MemoryPins } from "./pins.js";
import { RemoteToolbox } from "./remote-toolbox.js";

/** What the application says of a remote tool: all that `createTool` takes besides name, description, schemas and function. */
export type McpToolSettings = Partial<ToolPolicy>;

export interface McpToolboxOptions {
  /** What the application calls the server. Its tools' names begin with it: `files` makes `files_read_file`. */
  readonly prefix: string;
  /**
   * Where the hashes of accepted definitions are kept: the path of a JSON file, or a store. Without it, they hold as long as the
   * toolbox.
   */
  readonly pin?: string | McpPinStore;
  /** What the server can't be trusted to say of its tools: category, confirmation, timeout, ... Asked once for each definition. */
  readonly settings?: (tool: McpToolDefinition) => McpToolSettings;
  /**
   * Asks the user what a server wants to know amid a call, and gives what they entered; `undefined` where they don't want to say.
   * The tool's deadline runs meanwhile: give it time by `settings`. Without it, servers are told that nobody can be asked.
   */
  readonly onElicitation?: OnMcpElicitation;
}

/** A tool that isn't what was accepted. */
export interface ChangedMcpTool {
  /** With the prefix. */
  readonly tool: string;
  readonly change: "new" | "changed";
  /** What the server says of it now. */
  readonly definition: McpToolDefinition;
}

/** The tools of an MCP server. */
export interface McpToolbox extends Toolbox {
  /** Those that the server lists now, as they were accepted. */
  readonly tools: Toolbox["tools"];
  /** What the server lists besides, each with the reason why it can't be used. */
  readonly refused: readonly RefusedMcpTool[];
  /** What isn't as it was accepted, and can't be called. */
  readonly changed: readonly ChangedMcpTool[];
  /**
   * Accepts definitions that a person has looked at: `await toolbox.accept(toolbox.changed)`. From then on they are among `tools`;
   * classes that were taken from there before call what they were made of, and no longer what is now.
   */
  accept(changes: readonly ChangedMcpTool[]): Promise<void>;
  /** Ends the server where it is a process, and the connection. */
  close(): Promise<void>;
}

const optionNames: OptionNames<McpToolboxOptions> = { prefix: true, pin: true, settings: true, onElicitation: true };

/**
 * Makes a tool of each tool of an MCP server (revision 2026-07-28, or one of those before). They are tools like any other: checked,
 * limited, confirmed and recorded by the executor. Needs the package `@modelcontextprotocol/client`.
 *
 * ```ts
 * const files = await mcpToolbox(
 *   { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "./notes"] },
 *   { prefix: "files", pin: "./files.mcp.json", settings: ({ name }) => ({ requiresConfirmation: name !== "read_text_file" }) },
 * );
 *
 * @usesTools(files)
 * class NotesAgent extends Agent {}
 *
 * await files.close();
 * ```
 *
 * What the server lists when it is first met is accepted, and its hash kept; a tool that changes, or comes later, is told in
 * `changed` and can't be called until it is accepted.
 *
 * Rejects with `ToolDefinitionError` for a wrong option, a missing package and pins that can't be read, and with `McpError` where
 * the server can't be started or reached.
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
    throw new ToolDefinitionError(`mcpToolbox "${prefix}": there is no option "${name}". There are ${known.join(", ")}.${hint}`);
  }
  return options;
}
