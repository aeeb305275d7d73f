import type { ToolChoice } from "../../models/index.js";
import type { WireNames } from "../../schema/internal.js";
import type { ToolClass } from "../../tool/index.js";
import { nearestName } from "../../tool/internal.js";
import { AgentDefinitionError } from "../agent-errors.js";

/** Which tool the model must call; a certain one by its class or its name. */
export type AgentToolChoice = Exclude<ToolChoice, object> | { readonly tool: string | NamedClass };

/** The class of a tool or of an agent. */
interface NamedClass {
  readonly definition: { readonly name: string };
}

/** The tools of a run. */
interface RunTools {
  readonly classes: readonly ToolClass[];
  readonly names: WireNames;
}

/** The choice with the tool's name. Throws `AgentDefinitionError` for a tool that the run doesn't have. `owner` begins the message. */
export function namedChoice(choice: AgentToolChoice, tools: RunTools, owner: string): ToolChoice {
  if (typeof choice === "string") return choice;
  const { tool } = choice;
  return { tool: knownName(typeof tool === "string" ? tool : tool.definition.name, tools, `${owner}: toolChoice`) };
}

/** Throws `AgentDefinitionError` for a name that no tool of the run has. `owner` begins the message. */
export function knownName(name: string, { classes, names }: RunTools, owner: string): string {
  const known = classes.map(({ definition }) => definition.name);
  const own = names.toTool(name);
  if (known.includes(own)) return own;
  const nearest = nearestName(name, known);
  const fix = nearest === undefined ? "Add it to @usesTools, or name one of these." : `Did you mean "${nearest}"?`;
  throw new AgentDefinitionError(
    `${owner} names the tool "${name}", which the run doesn't have. It has: ${known.join(", ") || "none"}. ${fix}`,
  );
}
