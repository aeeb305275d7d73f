import type { Toolbox, ToolClass } from "../tool/index.js";
import { asTool, checkOptionNames, toolsIn } from "../tool/internal.js";
import { checkNamespace, checkPart, toolsByName } from "./full-names.js";

/** The tools of a project or an organisation, made by `createWorkspace().build()`. See docs/09-registries.md. */
export interface Workspace {
  /** The name of the organisation; absent for a project. */
  readonly organisation?: string;
  /** The tools by simple name, in toolboxes by name. The name of the root toolbox is empty. */
  readonly toolboxes: ReadonlyMap<string, ReadonlyMap<string, ToolClass>>;
}

type Toolboxes = Map<string, Map<string, ToolClass>>;

/** Collects the tools of a workspace. A step that throws changes nothing. See docs/09-registries.md. */
export class WorkspaceBuilder {
  readonly #organisation: string | undefined;
  readonly #toolboxes: Toolboxes;
  readonly #namespace: string;

  /** @internal */
  constructor(organisation: string | undefined, toolboxes: Toolboxes, namespace: string) {
    this.#organisation = organisation;
    this.#toolboxes = toolboxes;
    this.#namespace = namespace;
  }

  /**
   * Sets the toolbox that the next tools are added to. Pass a name, or a toolbox to add with its tools. In a project,
   * `acme/billing` replaces tools of the organisation `acme`.
   */
  toolbox(toolbox: string | Toolbox): WorkspaceBuilder {
    const name = typeof toolbox === "object" && toolbox !== null ? toolbox.name : toolbox;
    const namespace = checkNamespace(name, this.#organisation, ownerOf(this.#organisation));
    const builder = new WorkspaceBuilder(this.#organisation, this.#toolboxes, namespace);
    return builder.#add(typeof toolbox === "string" ? [] : toolsIn(toolbox, builder.#owner));
  }

  /**
   * Adds a tool to the current toolbox. Before the first `toolbox(...)` it is added to the root: its full name is then its simple
   * name.
   */
  addTool(tool: ToolClass): this {
    return this.#add([asTool(tool, this.#owner)]);
  }

  /** Returns the workspace as it is now. */
  build(): Workspace {
    const toolboxes = new Map([...this.#toolboxes].map(([name, tools]) => [name, new Map(tools)] as const));
    return Object.freeze({ ...(this.#organisation !== undefined && { organisation: this.#organisation }), toolboxes });
  }

  #add(tools: readonly ToolClass[]): this {
    const present = this.#toolboxes.get(this.#namespace) ?? new Map<string, ToolClass>();
    for (const [name, tool] of toolsByName(tools, present, this.#owner)) present.set(name, tool);
    this.#toolboxes.set(this.#namespace, present);
    return this;
  }

  get #owner(): string {
    return `${ownerOf(this.#organisation)}, ${placeOf(this.#namespace)}`;
  }
}

/** "the workspace of acme" */
export const ownerOf = (organisation: string | undefined): string =>
  organisation === undefined ? "the project's workspace" : `the workspace of "${organisation}"`;

export const placeOf = (namespace: string): string => (namespace === "" ? "root" : `toolbox "${namespace}"`);

/**
 * Starts a workspace for the tools of a project, or of an organisation if you pass its name.
 *
 * ```ts
 * const project = createWorkspace().toolbox("science").addTool(TelescopeTool).toolbox("billing").addTool(RefundTool).build();
 * const organisation = createWorkspace({ organisation: "acme" }).toolbox("billing").addTool(InvoiceTool).build(); // acme/billing
 * ```
 *
 * Throws `ToolDefinitionError` for an empty name, a slash in a simple name, and a repeated name. See docs/09-registries.md.
 */
export function createWorkspace(options: { readonly organisation?: string } = {}): WorkspaceBuilder {
  checkOptionNames(options, { organisation: true }, "createWorkspace");
  const { organisation } = options;
  if (organisation !== undefined) checkPart(organisation, "the organisation", "createWorkspace");
  return new WorkspaceBuilder(organisation, new Map(), "");
}
