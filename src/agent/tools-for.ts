import { lackOf } from "../execution/internal.js";
import type { ToolDefinition } from "../tool/index.js";
import type { Agent, AgentClass } from "./agent.js";
import { classNameOf } from "./agent-class.js";
import { listTools } from "./attached-tools.js";
import { chooseRun } from "./run/run-hooks.js";

/** A tool that the agent chooses for a context. */
export interface ChosenTool {
  readonly definition: ToolDefinition;
  /** False if `@access` keeps it from this context: a run leaves it out. */
  readonly permitted: boolean;
  /** What the context lacks, if it isn't permitted. */
  readonly lack?: string;
}

/** The tools that a run of the agent would have with this context. Throws what the application's functions throw. */
export async function toolsFor(agent: Agent, context: Record<string, unknown>): Promise<readonly ChosenTool[]> {
  const choice = await agent[chooseRun]?.(context, {}, false);
  const tools = choice?.tools ?? (await agent.tools(context));
  // TypeScript types `constructor` as any function; it is the class that made this instance.
  const owner = classNameOf(agent.constructor as AgentClass);
  return listTools(tools, owner).map(({ definition }) => {
    const lack = lackOf(definition, context);
    return { definition, permitted: lack === undefined, ...(lack !== undefined && { lack }) };
  });
}
