import type { Toolbox, ToolClass } from "../tool/index.js";

/** The tools of an agent: classes, toolboxes, or both. */
export type AgentTools = Toolbox | readonly (ToolClass | Toolbox)[];
