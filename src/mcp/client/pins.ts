import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { ToolDefinitionError } from "../../tool/index.js";

/** The hashes of accepted definitions, by the server's names of the tools. */
export type McpPins = Readonly<Record<string, string>>;

/** Keeps the hashes of one server's accepted definitions, such as in a database. See docs/12-mcp.md. */
export interface McpPinStore {
  /** Returns the stored hashes, or `undefined` if nothing was accepted yet: then everything that the server lists is accepted. */
  load(): Promise<McpPins | undefined> | McpPins | undefined;
  /** Replaces the stored hashes. */
  save(pins: McpPins): Promise<void> | void;
}

/** For the time that the process lives. */
export class MemoryPins implements McpPinStore {
  #pins: McpPins | undefined;

  load(): McpPins | undefined {
    return this.#pins;
  }

  save(pins: McpPins): void {
    this.#pins = pins;
  }
}

/** A JSON file for one server, to be kept with the application's code. A file that can't be read accepts nothing. */
export class FilePins implements McpPinStore {
  readonly #path: string;
  readonly #server: string;

  constructor(path: string, server: string) {
    this.#path = path;
    this.#server = server;
  }

  async load(): Promise<McpPins | undefined> {
    let text: string;
    try {
      text = await readFile(this.#path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    const { server, tools } = parsed(text, this.#path);
    if (server !== this.#server) {
      throw new ToolDefinitionError(
        `mcpToolbox: the pins in ${this.#path} are those of the server ${JSON.stringify(server)}, not of "${this.#server}". Give each server a file of its own.`,
      );
    }
    return tools;
  }

  async save(pins: McpPins): Promise<void> {
    const tools = Object.fromEntries(Object.entries(pins).sort(([one], [other]) => (one < other ? -1 : 1)));
    const temporary = `${this.#path}.${randomUUID()}.tmp`;
    try {
      await writeFile(temporary, `${JSON.stringify({ server: this.#server, tools }, null, 2)}\n`);
      await rename(temporary, this.#path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
}

function parsed(text: string, path: string): { readonly server: unknown; readonly tools: McpPins } {
  try {
    const { server, tools } = JSON.parse(text) as { readonly server: unknown; readonly tools: McpPins };
    if (typeof tools === "object" && tools !== null && Object.values(tools).every((hash) => typeof hash === "string"))
      return { server, tools };
  } catch {
    // Reported below: a file that is broken or has another shape accepts nothing.
  }
  throw new ToolDefinitionError(
    `mcpToolbox: ${path} holds no pins. Restore it; or delete it, and all that the server lists at its next start is accepted.`,
  );
}
