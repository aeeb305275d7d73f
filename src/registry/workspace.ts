import type { Toolbox, ToolClass } from "../tool/index.js";
import { asTool, checkOptionNames } from "../tool/internal.js";
import { checkNamespace, checkPart, toolsByName } from "./full-names.js";

/** The tools of a project or an organisation, as `createWorkspace().build()` gives it. */
export interface Workspace {
  /** Whose workspace it is; absent for a project's. */
  readonly organisation?: string;
  /** The tools by their simple names, in toolboxes by theirs; that of the root is empty. */
  readonly toolboxes: ReadonlyMap<string, ReadonlyMap<string, ToolClass>>;
}

type Toolboxes = Map<string, Map<string, ToolClass>>;

/** Collects a workspace. Each step does all that it says, or throws and changes nothing. */
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
   * The toolbox of that name, which the next tools go to; a toolbox that exists comes with its tools. A project may also
   * write `acme/billing`, to put its own tools in the place of those of the organisation `acme`.
   */
  toolbox(toolbox: string | Toolbox): WorkspaceBuilder {
    const { name, tools } = typeof toolbox === "object" && toolbox !== null ? toolbox : { name: toolbox, tools: [] };
    const namespace = checkNamespace(name, this.#organisation, ownerOf(this.#organisation));
    return new WorkspaceBuilder(this.#organisation, this.#toolboxes, namespace).#add(tools);
  }

  /** Adds a tool to the toolbox; before the first one, to the root, where its full name is its simple one. */
  addTool(tool: ToolClass): this {
    return this.#add([asTool(tool, this.#owner)]);
  }

  /** The workspace as it is now. */
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
 * Begins a workspace: the tools of a project, or with a name those of an organisation, whose toolboxes are then `acme/billing`.
 *
 * ```ts
 * const project = createWorkspace().toolbox("science").addTool(TelescopeTool).toolbox("billing").addTool(RefundTool).build();
 * const organisation = createWorkspace({ organisation: "acme" }).toolbox("billing").addTool(InvoiceTool).build();
 * ```
 *
 * Throws `ToolDefinitionError` for a name with a slash where a simple one is due, an empty name, and a second tool of one name.
 */
export function createWorkspace(options: { readonly organisation?: string } = {}): WorkspaceBuilder {
  checkOptionNames(options, { organisation: true }, "createWorkspace");
  const { organisation } = options;
  if (organisation !== undefined) checkPart(organisation, "the organisation", "createWorkspace");
  return new WorkspaceBuilder(organisation, new Map(), "");
}
