import { inTurns } from "../../timing/index.js";
import { createTool, type ToolClass, type ToolContext, ToolDefinitionError } from "../../tool/index.js";
import { isOptions } from "../../tool/internal.js";
import { valueWithoutHidden, warnProcess } from "../../redaction/internal.js";
import { responseOf } from "./received-call-result.js";
import { isForgottenSession } from "./explain-failure.js";
import { McpError } from "./mcp-error.js";
import type { McpServerAddress } from "./mcp-server-address.js";
import type { McpToolDefinition, RefusedMcpTool } from "./mcp-tool.js";
import type { ChangedMcpTool, McpToolbox, McpToolboxOptions, McpToolSettings } from "./mcp-toolbox.js";
import type { McpPinStore } from "./pins.js";
import { type RemoteTool, readTools } from "./remote-tool.js";
import { ServerConnection } from "./server-connection.js";

/** A reported change, and its tool. */
const changedTools = new WeakMap<ChangedMcpTool, RemoteTool>();

/** In a row, because the list changed meanwhile. */
const mostReads = 20;

/** In a warning. */
const mostListed = 5;

/** Of one server: it may list others each time. */
const mostWarnings = 20;

/**
 * The tools of one server, by one rule: a tool class calls the definition that it was made of, and no other. After any sign that
 * the list may have changed, it is read again before the next call.
 */
export class RemoteToolbox implements McpToolbox {
  readonly name: string;
  readonly #connection: ServerConnection;
  readonly #pins: McpPinStore;
  readonly #settings: (tool: McpToolDefinition) => McpToolSettings;
  /** By hash: a tool that didn't change keeps its class. */
  readonly #classes = new Map<string, ToolClass>();
  readonly #warned = new Set<string>();
  /** The hashes of what was accepted. */
  #accepted: ReadonlyMap<string, string> | undefined;
  #listed: readonly RemoteTool[] = [];
  #tools: readonly ToolClass[] = [];
  #refused: readonly RefusedMcpTool[] = [];
  #changed: readonly ChangedMcpTool[] = [];
  #isStale = true;
  #reading: Promise<void> | undefined;
  /** One after the other: each builds upon the pins that the one before has saved. */
  #accepting: Promise<void> = Promise.resolve();

  constructor(
    name: string,
    server: McpServerAddress,
    pins: McpPinStore,
    { settings = () => ({}), onElicitation }: Pick<McpToolboxOptions, "settings" | "onElicitation">,
  ) {
    this.name = name;
    this.#pins = pins;
    this.#settings = settings;
    this.#connection = new ServerConnection(name, server, onElicitation);
    this.#connection.onListChanged = (by) => {
      this.#isStale = true;
      // If this fails, the next call that needs it fails too, and reports the error.
      if (by === "server") this.refresh().catch(() => undefined);
    };
  }

  get tools(): readonly ToolClass[] {
    return this.#tools;
  }

  get refused(): readonly RefusedMcpTool[] {
    return this.#refused;
  }

  get changed(): readonly ChangedMcpTool[] {
    return this.#changed;
  }

  /** Reads the list as it is after this call. */
  refresh(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#readWhileStale().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async accept(changes: readonly ChangedMcpTool[]): Promise<void> {
    const tools = changes.map((change) => {
      const tool = changedTools.get(change);
      if (tool === undefined) throw new TypeError("accept: pass entries of toolbox.changed. Other definitions weren't reviewed.");
      return tool;
    });
    const accepting = this.#accepting.then(() => this.#addPins(tools));
    this.#accepting = accepting.catch(() => undefined);
    await accepting;
    this.#sort();
  }

  /** To the pins as they are kept now: a person may have taken some back meanwhile. */
  async #addPins(tools: readonly RemoteTool[]): Promise<void> {
    const kept = await this.#pins.load();
    const accepted = new Map(kept === undefined ? this.#accepted : Object.entries(kept));
    for (const { listed, hash } of tools) accepted.set(listed.name, hash);
    await this.#pins.save(Object.fromEntries(accepted));
    this.#accepted = accepted;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #readWhileStale(): Promise<void> {
    for (let reads = 0; this.#isStale; reads += 1) {
      if (reads === mostReads)
        throw new McpError(`The MCP server "${this.name}" changes its tools faster than they can be listed. Tell the user.`);
      await this.#connection.ready();
      this.#isStale = false;
      try {
        await this.#read();
      } catch (error) {
        this.#isStale = true;
        throw error;
      }
    }
  }

  async #read(): Promise<void> {
    const { tools, refused } = await inTurns(readTools(await this.#connection.listTools(), this.name));
    this.#listed = tools;
    this.#refused = refused;
    await this.#acceptFirst();
    this.#sort();
  }

  /** Trust on first use. */
  async #acceptFirst(): Promise<void> {
    if (this.#accepted !== undefined) return;
    const pins = await this.#pins.load();
    const accepted = new Map(pins === undefined ? this.#listed.map(({ listed, hash }) => [listed.name, hash]) : Object.entries(pins));
    if (pins === undefined) await this.#pins.save(Object.fromEntries(accepted));
    this.#accepted = accepted;
  }

  #sort(): void {
    const tools: ToolClass[] = [];
    const changed: ChangedMcpTool[] = [];
    for (const tool of this.#listed) {
      const accepted = this.#accepted?.get(tool.listed.name);
      if (accepted === tool.hash) tools.push(this.#classOf(tool));
      else changed.push(changeOf(tool, accepted === undefined ? "new" : "changed"));
    }
    this.#tools = Object.freeze(tools);
    this.#changed = Object.freeze(changed);
    this.#warn(
      "leaves out",
      "",
      this.#refused.map(({ tool, reason }) => `${tool}: ${reason}`),
    );
    this.#warn(
      "doesn't offer",
      " until toolbox.accept is called",
      changed.map(({ tool, change }) => `${tool} ${change === "new" ? "is new" : "has changed"}.`),
    );
  }

  #classOf(tool: RemoteTool): ToolClass {
    const known = this.#classes.get(tool.hash);
    if (known !== undefined) return known;
    const { description, inputSchema, outputSchema } = tool.definition;
    const settings = this.#settingsOf(tool);
    const isGated = settings.requiresConfirmation !== undefined && settings.requiresConfirmation !== false;
    const toolClass = createTool({
      ...settings,
      name: tool.toolName,
      description,
      inputSchema,
      ...(outputSchema !== undefined && { outputSchema }),
      execute: (input, context) => this.#call(tool, isGated, input, context),
    });
    // If two tools share a name, the error names both by this.
    Object.defineProperty(toolClass, "name", { value: `${tool.definition.name} of the MCP server "${this.name}"` });
    this.#classes.set(tool.hash, toolClass);
    return toolClass;
  }

  /** A promise would be an object without settings, so no call would require confirmation. `createTool` rejects misspelt settings. */
  #settingsOf({ definition }: RemoteTool): McpToolSettings {
    const settings = this.#settings(definition);
    if (isOptions(settings)) return settings;
    throw new ToolDefinitionError(
      `mcpToolbox "${this.name}": settings must return an object such as { requiresConfirmation: true }, and no promise of one.`,
    );
  }

  async #call(tool: RemoteTool, isGated: boolean, input: Record<string, unknown>, context: ToolContext): Promise<unknown> {
    try {
      return await this.#callOnce(tool, isGated, input, context);
    } catch (error) {
      if (!isForgottenSession((error as Error).cause)) throw error;
      return await this.#callOnce(tool, isGated, input, context);
    }
  }

  async #callOnce(tool: RemoteTool, isGated: boolean, input: Record<string, unknown>, context: ToolContext): Promise<unknown> {
    await this.#connection.ready();
    // A person may have thought about the call for hours, and a server may change its tools without a word.
    if (isGated) await this.refresh();
    while (this.#reading !== undefined || this.#isStale) await (this.#reading ?? this.refresh());
    // Nothing is awaited from here to the call, so that no other session comes between.
    this.#refuseChanged(tool);
    const result = await this.#connection.callTool(tool, input, context);
    return responseOf(valueWithoutHidden(result), tool.definition.outputSchema !== undefined, (parts) =>
      context.log.warn(`${tool.toolName} gave more than its output schema has a place for. It was left out.`, { parts }),
    );
  }

  #refuseChanged({ listed: { name }, hash, toolName }: RemoteTool): void {
    const now = this.#listed.find(({ listed }) => listed.name === name);
    if (now?.hash === hash && this.#accepted?.get(name) === hash) return;
    if (now === undefined) {
      throw new McpError(`The call wasn't made: the MCP server "${this.name}" doesn't list ${toolName} any more. Tell the user.`);
    }
    const next =
      this.#accepted?.get(name) === now.hash
        ? "The current definition is accepted, but this call used the old one. Tell the user; the application must read toolbox.tools again."
        : "Tell the user; the application decides whether to accept it as it is now.";
    throw new McpError(`The call wasn't made: the MCP server "${this.name}" has changed ${toolName} since it was accepted. ${next}`);
  }

  /** Once for the same. */
  #warn(what: string, until: string, warnings: readonly string[]): void {
    if (warnings.length === 0) return;
    const more = warnings.length > mostListed ? ` And ${warnings.length - mostListed} more.` : "";
    const message = `mcpToolbox "${this.name}" ${what} ${warnings.length} of the server's tools${until}. ${warnings.slice(0, mostListed).join(" ")}${more}`;
    if (this.#warned.has(message) || this.#warned.size === mostWarnings) return;
    this.#warned.add(message);
    const last = this.#warned.size === mostWarnings ? " This is the last warning of this server: look at refused and changed." : "";
    warnProcess(message + last);
  }
}

function changeOf(tool: RemoteTool, change: ChangedMcpTool["change"]): ChangedMcpTool {
  const found = Object.freeze({ tool: tool.toolName, change, definition: tool.definition });
  changedTools.set(found, tool);
  return found;
}
