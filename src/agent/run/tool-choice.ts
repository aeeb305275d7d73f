import type { ToolChoice } from "../../models/index.js";
import { type NamedClass, nameIn } from "../../tool/internal.js";
import { AgentDefinitionError } from "../agent-errors.js";
import { knownNames, type RunTools } from "./meant-tools.js";

/** Which tool the model must call; a certain one by its class or its exact name. */
export type AgentToolChoice = Exclude<ToolChoice, object> | { readonly tool: string | NamedClass };

/**
 * The choice with the tool's name. Throws `AgentDefinitionError` for a tool that the run doesn't have, and for a class that it has under
 * several names. `owner` begins the message.
 */
export function namedChoice(choice: AgentToolChoice, tools: RunTools, owner: string): ToolChoice {
  if (typeof choice === "string") return choice;
  const [tool, second] = knownNames(choice.tool, tools, `${owner}: toolChoice`) as readonly [string, ...string[]];
  if (second === undefined) return { tool };
  throw new AgentDefinitionError(
    `${owner}: toolChoice names the class of "${nameIn(choice.tool)}", which the run has as "${tool}" and "${second}". Name one: { tool: "${tool}" }.`,
  );
}
