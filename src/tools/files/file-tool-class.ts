import type { Tool, ToolClass } from "../../tool/index.js";

/** A tool class whose calls are known by type: their arguments, and what they give. A subclass may also give a failure. */
export type FileToolClass<Call extends Tool> = Pick<ToolClass, "name" | "definition" | "identifier" | "parametersSchema"> &
  (new () => Call);
