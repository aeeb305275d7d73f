import type { AgentClass } from "../../agent/index.js";
import { isAgentClass, subAgentTool } from "../../agent/internal.js";
import { describeValue } from "../../schema/internal.js";
import type { ToolClass } from "../../tool/index.js";
import { isToolClass } from "../../tool/internal.js";
import { SpecificationError } from "../specification-error.js";

/** An immutable set of tools by name, made by `createToolLibrary`. See docs/10-specifications-and-gram.md. */
export class ToolLibrary implements Iterable<ToolClass> {
  readonly #tools: ReadonlyMap<string, ToolClass>;

  /** @internal Made by `emptyToolLibrary`, `createToolLibrary` and `registerTool`. */
  constructor(tools: ReadonlyMap<string, ToolClass>) {
    this.#tools = tools;
  }

  /** The names, in the order of registration. */
  get names(): readonly string[] {
    return [...this.#tools.keys()];
  }

  /** Returns the tool with this name, or `undefined`. */
  get(name: string): ToolClass | undefined {
    return this.#tools.get(name);
  }

  [Symbol.iterator](): Iterator<ToolClass> {
    return this.#tools.values();
  }
}

/** Refuses what is no library. `owner` begins the message. */
export function checkLibrary(library: unknown, owner: string): void {
  if (library instanceof ToolLibrary) return;
  throw new SpecificationError(
    `${owner}: a tool library is needed, got ${describeValue(library)}. Make one: createToolLibrary([SearchTool]).`,
  );
}

/** The library without tools. See docs/10-specifications-and-gram.md. */
export const emptyToolLibrary: ToolLibrary = new ToolLibrary(new Map());

/**
 * Returns a library with one more tool, or with the tool of this name replaced. An agent is registered as the tool that other
 * agents call.
 *
 * ```ts
 * const library = registerTool("sayHello", SayHelloTool, emptyToolLibrary);
 * ```
 *
 * Throws `SpecificationError` if the tool has another name. See docs/10-specifications-and-gram.md.
 */
export function registerTool(name: string, tool: ToolClass | AgentClass, library: ToolLibrary): ToolLibrary {
  const toolClass = asTool(tool, `registerTool "${name}"`);
  checkLibrary(library, `registerTool "${name}"`);
  const actual = toolClass.definition.name;
  if (name !== actual) {
    throw new SpecificationError(
      `registerTool "${name}": the tool is named "${actual}", so a call of "${name}" by the model would find no tool. ` +
        `Register it as "${actual}", or rename it with @identifier("${name}").`,
    );
  }
  return new ToolLibrary(new Map([...namedTools(library), [name, toolClass]]));
}

/**
 * Makes a library of tools, each under its own name: `createToolLibrary([SearchTool, RefundTool])`.
 *
 * Throws `SpecificationError` if two have the same name. See docs/10-specifications-and-gram.md.
 */
export function createToolLibrary(tools: readonly (ToolClass | AgentClass)[]): ToolLibrary {
  if (!Array.isArray(tools)) {
    throw new SpecificationError(
      `createToolLibrary takes a list of tools, got ${describeValue(tools)}. Write createToolLibrary([SearchTool]).`,
    );
  }
  const named = new Map<string, ToolClass>();
  for (const [index, tool] of tools.entries()) {
    const toolClass = asTool(tool, `createToolLibrary, entry ${index}`);
    const { name } = toolClass.definition;
    const earlier = named.get(name);
    if (earlier !== undefined) {
      throw new SpecificationError(
        `createToolLibrary: ${earlier.name} and ${toolClass.name} are both named "${name}". Leave one out, or rename it with @identifier("...").`,
      );
    }
    named.set(name, toolClass);
  }
  return new ToolLibrary(named);
}

/** Returns the tool of a library with this name, or `undefined`. See docs/10-specifications-and-gram.md. */
export function lookupTool(name: string, library: ToolLibrary): ToolClass | undefined {
  checkLibrary(library, `lookupTool "${name}"`);
  return library.get(name);
}

const namedTools = (library: ToolLibrary): (readonly [string, ToolClass])[] =>
  [...library].map((toolClass) => [toolClass.definition.name, toolClass] as const);

function asTool(tool: ToolClass | AgentClass, owner: string): ToolClass {
  if (isToolClass(tool)) return tool;
  if (isAgentClass(tool)) return subAgentTool(tool);
  throw new SpecificationError(
    `${owner}: a library holds classes that extend Tool, and agents, got ${describeValue(tool)}. Make one of a function with createTool.`,
  );
}
