import type { ToolCategory, ToolClass } from "../tool/index.js";
import { renamedTool } from "../tool/internal.js";

/** A tool under its full name. The class of that name is made when it is asked for: most tools of a large registry never are. */
export class RegisteredTool {
  readonly name: string;
  /** As it was added. */
  readonly added: ToolClass;
  #tool: ToolClass | undefined = undefined;

  constructor(name: string, added: ToolClass) {
    this.name = name;
    this.added = added;
  }

  get tool(): ToolClass {
    this.#tool ??= renamedTool(this.added, this.name);
    return this.#tool;
  }

  get tags(): readonly string[] {
    return this.added.definition.tags;
  }

  get category(): ToolCategory {
    return this.added.definition.category;
  }
}
