import { type Toolbox, type ToolClass, ToolDefinitionError } from "../tool/index.js";
import { standardToolbox, webToolbox } from "../tools/index.js";
import { refuseSecond, simpleNameOf } from "./names.js";
import { RegisteredTool } from "./registered-tool.js";
import { ToolRegistry } from "./tool-registry.js";
import { ownerOf, placeOf, type Workspace } from "./workspace.js";

export interface RegistryOptions {
  /** The tools that every project has: by default calculator, Wikipedia and the reader of pages, which need no configuration. */
  readonly internal?: Toolbox;
  readonly organisation?: Workspace;
  readonly project?: Workspace;
}

/**
 * Merges the internal toolbox, an organisation's workspace and a project's into one registry. Where full names are equal, the
 * project's tool takes the place of the organisation's, and that of the internal one, and the process is warned of it
 * (seed 004, "Registration & Merging").
 *
 * ```ts
 * const project = createWorkspace().toolbox("billing").addTool(RefundTool).build();
 * const registry = createRegistry({ internal: standardToolbox(webToolbox({ search }), fileToolbox("workspace")), project });
 * registry.names; // ["calculator", "web_search", "wikipedia", "web_scraper", "read_file", ..., "billing/refund"]
 * ```
 *
 * Throws `ToolDefinitionError` for wrong names and a second tool of one name.
 */
export function createRegistry({ internal = standardToolbox(webToolbox()), organisation, project }: RegistryOptions = {}): ToolRegistry {
  const merged = new Map<string, Placed>();
  const warnings: string[] = [];
  for (const source of [internalSource(internal), organisationSource(organisation), projectSource(project)]) {
    for (const placed of placedTools(source)) {
      const earlier = merged.get(placed.fullName);
      if (earlier?.source === source) refuseSecond(placed.fullName, earlier.tool, placed.tool, placed.owner);
      else if (earlier !== undefined) warnings.push(overrideOf(placed, earlier));
      merged.set(placed.fullName, placed);
    }
  }
  for (const warning of warnings) process.emitWarning(warning, "ToolwrightWarning");
  return new ToolRegistry(new Map([...merged].map(([fullName, { tool }]) => [fullName, new RegisteredTool(fullName, tool)])));
}

/** One of the three that are merged. */
interface Source {
  /** What stands before the names of toolboxes: `acme/`. */
  readonly prefix: string;
  readonly owner: string;
  readonly toolboxes: readonly Toolbox[];
}

interface Placed {
  readonly fullName: string;
  readonly tool: ToolClass;
  readonly source: Source;
  readonly owner: string;
}

const internalSource = ({ name, tools }: Toolbox): Source => ({
  prefix: "",
  owner: `the internal toolbox "${name}"`,
  toolboxes: [{ name: "", tools }],
});

function organisationSource(workspace: Workspace | undefined): Source {
  if (workspace === undefined) return nothing;
  const { organisation, toolboxes } = workspace;
  if (organisation !== undefined) return { prefix: `${organisation}/`, owner: ownerOf(organisation), toolboxes };
  throw new ToolDefinitionError(
    'createRegistry: the workspace given as organisation says no name of one. Make it by createWorkspace({ organisation: "acme" }).',
  );
}

function projectSource(workspace: Workspace | undefined): Source {
  if (workspace === undefined) return nothing;
  const { organisation, toolboxes } = workspace;
  if (organisation === undefined) return { prefix: "", owner: ownerOf(undefined), toolboxes };
  throw new ToolDefinitionError(
    `createRegistry: the workspace given as project is that of the organisation "${organisation}". Give it as organisation.`,
  );
}

const nothing: Source = { prefix: "", owner: "", toolboxes: [] };

/** A tool at the root keeps its simple name, whosever it is: this is how an organisation replaces an internal tool. */
function placedTools(source: Source): readonly Placed[] {
  return source.toolboxes.flatMap(({ name, tools }) => {
    const owner = name === "" ? source.owner : `${source.owner}, ${placeOf(name)}`;
    const namespace = name === "" ? "" : `${source.prefix}${name}/`;
    return tools.map((tool) => ({ fullName: namespace + simpleNameOf(tool, owner), tool, source, owner }));
  });
}

const overrideOf = (placed: Placed, earlier: Placed): string =>
  `The tool "${placed.fullName}" of ${placed.owner} (${placed.tool.name}) replaces that of ${earlier.owner} (${earlier.tool.name}).`;
