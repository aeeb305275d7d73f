import type { Tool } from "@modelcontextprotocol/server";
import { type Container, type ExecutionProfile, type ExecutorOptions, isPermitted, ToolExecutor } from "../../execution/index.js";
import { WireNames } from "../../schema/internal.js";
import type { ToolClass } from "../../tool/index.js";
import { listedTool } from "./listed-tool.js";

/** A list of tools as clients see it, and the executor that calls exactly these. */
export class ServedTools {
  readonly executor: ToolExecutor;
  readonly #classes: readonly ToolClass[];
  readonly #container: Container | undefined;
  readonly #names: WireNames;
  readonly #byWire = new Map<string, ToolClass>();
  /** Made when it is asked for: most requests are calls. */
  #listed: readonly Tool[] | undefined = undefined;

  constructor(classes: readonly ToolClass[], container: Container | undefined, options: Omit<ExecutorOptions, "tools" | "container">) {
    this.executor = new ToolExecutor({ ...options, tools: classes, ...(container !== undefined && { container }) });
    this.#classes = classes;
    this.#container = container;
    this.#names = new WireNames(
      classes.map(({ definition }) => definition.name),
      legalName,
    );
    for (const toolClass of classes) this.#byWire.set(this.#names.toWire(toolClass.definition.name), toolClass);
  }

  /** Whether it is made of the same tools in the same order, by the same container. */
  holds(classes: readonly ToolClass[], container: Container | undefined): boolean {
    if (container !== this.#container) return false;
    return classes.length === this.#classes.length && classes.every((toolClass, index) => toolClass === this.#classes[index]);
  }

  /** The tool with that client name, without a permission check: for the executor, which rejects and records. */
  find(wireName: string): ToolClass | undefined {
    return this.#byWire.get(wireName);
  }

  /** The tool with that client name, if the caller may call it. Others learn nothing about it. */
  findFor(wireName: string, context: Record<string, unknown>, profile: ExecutionProfile | undefined): ToolClass | undefined {
    const toolClass = this.find(wireName);
    return toolClass !== undefined && isPermitted(toolClass.definition, context, profile) ? toolClass : undefined;
  }

  /** What a caller may call, as `tools/list` has it: always in the same order. */
  listFor(context: Record<string, unknown>, profile: ExecutionProfile | undefined): Tool[] {
    this.#listed ??= this.#classes.map(({ definition }) => listedTool(this.#names.toWire(definition.name), definition));
    return this.#listed.filter((_, index) => isPermitted((this.#classes[index] as ToolClass).definition, context, profile));
  }
}

/** Legal are 1 to 128 of `A-Z a-z 0-9 _ - .` (revision 2025-11-25, "Tool Names"); shorter forms leave room for a suffix. */
const legalName = (name: string): string => (/^[\w.-]{1,128}$/.test(name) ? name : name.slice(0, 64).replace(/[^\w.-]/g, "_"));
