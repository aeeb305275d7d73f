import type { Toolbox } from "../tool/index.js";
import { CalculatorTool } from "./calculator/index.js";

/**
 * The calculator, which needs no configuration, and the tools of the toolboxes given, as one toolbox named `standard`.
 *
 * ```ts
 * @usesTools(standardToolbox(fileToolbox("workspace")))
 * class AssistantAgent extends Agent {}
 * ```
 */
export const standardToolbox = (...toolboxes: readonly Toolbox[]): Toolbox => ({
  name: "standard",
  tools: [CalculatorTool, ...toolboxes.flatMap(({ tools }) => tools)],
});
