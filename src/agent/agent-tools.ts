import type { Toolbox, ToolClass } from "../tool/index.js";
import type { AgentClass } from "./agent.js";

/** The tools of an agent: tool classes, agent classes (sub-agents) and toolboxes. See docs/03-agents.md. */
export type AgentTools = Toolbox | readonly (ToolClass | AgentClass | Toolbox)[];
