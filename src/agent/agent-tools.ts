import type { Toolbox, ToolClass } from "../tool/index.js";
import type { AgentClass } from "./agent.js";

/** The tools of an agent: classes of tools and of other agents, toolboxes. */
export type AgentTools = Toolbox | readonly (ToolClass | AgentClass | Toolbox)[];
