import { type Toolbox, type ToolClass, ToolDefinitionError } from "../tool/index.js";
import { checkOptionNames, type OptionNames, originalOf, toolsIn } from "../tool/internal.js";
import { warnProcess } from "../redaction/internal.js";
import { standardToolbox, webToolbox } from "../tools/index.js";
import { toolsByName } from "./full-names.js";
import { ToolRegistry } from "./tool-registry.js";
import { ownerOf, placeOf, type Workspace } from "./workspace.js";

/** Options of `createRegistry`. See docs/09-registries.md. */
export interface RegistryOptions {
  /** Tools that every project has. Default: calculator, Wikipedia and the web scraper, which need no configuration. */
  readonly internal?: Toolbox;
  /** The workspace of the organisation, made by `createWorkspace({ organisation: "acme" })`. */
  readonly organisation?: Workspace;
  /** The workspace of the project. */
  readonly project?: Workspace;
}

/**
 * Merges the internal tools, an organisation's workspace and a project's workspace into one registry.
 *
 * ```ts
 * const project = createWorkspace().toolbox("billing").addTool(RefundTool).build();
 * const registry = createRegistry({ internal: standardToolbox(webToolbox({ search }), fileToolbox("workspace")), project });
 * registry.names; // ["calculator", "web_search", "wikipedia", "web_scraper", "read_file", ..., "billing/refund"]
 * ```
 *
 * If two tools have the same full name, the project's replaces the organisation's, and that replaces the internal one; a process
 * warning reports it.
 *
 * Throws `ToolDefinitionError` for invalid or repeated names. See docs/09-registries.md.
 */
export function createRegistry(options: RegistryOptions = {}): ToolRegistry {
  checkOptionNames(options, optionNames, "createRegistry");
  const { internal = standardToolbox(webToolbox()), organisation, project } = options;
  const merged = new Map<string, ToolClass>();
  const replaced = new Map<string, readonly ToolClass[]>();
  const places = new Map<string, string>();
  const warnings: string[] = [];
  for (const { prefix, owner, toolboxes } of [internalSource(internal), organisationSource(organisation), projectSource(project)]) {
    for (const [name, tools] of toolboxes) {
      // A tool at the root keeps its simple name, whosever it is: this is how an organisation replaces an internal tool.
      const namespace = name === "" ? "" : `${prefix}${name}/`;
      const place = name === "" ? owner : `${owner}, ${placeOf(name)}`;
      for (const [simpleName, tool] of tools) {
        const fullName = namespace + simpleName;
        const earlier = merged.get(fullName);
        if (earlier !== undefined) {
          const former = `that of ${places.get(fullName)} (${earlier.name})`;
          warnings.push(`The tool "${fullName}" of ${place} (${tool.name}) replaces ${former}.`);
          const formers = [...(replaced.get(fullName) ?? []), earlier];
          replaced.set(
            fullName,
            formers.filter((one) => originalOf(one) !== originalOf(tool)),
          );
        }
        merged.set(fullName, tool);
        places.set(fullName, place);
      }
    }
  }
  for (const warning of warnings) warnProcess(warning);
  return new ToolRegistry(merged, replaced);
}

const optionNames: OptionNames<RegistryOptions> = { internal: true, organisation: true, project: true };

/** One of the three that are merged. */
interface Source extends Pick<Workspace, "toolboxes"> {
  /** What stands before the names of toolboxes: `acme/`. */
  readonly prefix: string;
  readonly owner: string;
}

function internalSource(toolbox: Toolbox): Source {
  const owner = `the internal toolbox "${toolbox.name}"`;
  return { prefix: "", owner, toolboxes: new Map([["", toolsByName(toolsIn(toolbox, owner), new Map(), owner)]]) };
}

function organisationSource(workspace: Workspace | undefined): Source {
  if (workspace === undefined) return nothing;
  const { organisation, toolboxes } = checked(workspace, "organisation");
  if (organisation !== undefined) return { prefix: `${organisation}/`, owner: ownerOf(organisation), toolboxes };
  throw new ToolDefinitionError(
    'createRegistry: the workspace given as organisation says no name of one. Make it by createWorkspace({ organisation: "acme" }).',
  );
}

function projectSource(workspace: Workspace | undefined): Source {
  if (workspace === undefined) return nothing;
  const { organisation, toolboxes } = checked(workspace, "project");
  if (organisation === undefined) return { prefix: "", owner: ownerOf(undefined), toolboxes };
  throw new ToolDefinitionError(
    `createRegistry: the workspace given as project is that of the organisation "${organisation}". Give it as organisation.`,
  );
}

/** A builder looks much like what it builds. */
function checked(workspace: Workspace, option: string): Workspace {
  if (workspace.toolboxes instanceof Map) return workspace;
  throw new ToolDefinitionError(`createRegistry: ${option} isn't a workspace. End createWorkspace()... with .build().`);
}

const nothing: Source = { prefix: "", owner: "", toolboxes: new Map() };
