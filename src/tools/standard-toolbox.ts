import type { Toolbox } from "../tool/index.js";
import { openToolList } from "../tool/internal.js";
import { CalculatorTool } from "./calculator/index.js";

/**
 * Makes a toolbox named `standard` with the calculator and the tools of other toolboxes:
 * `@usesTools(standardToolbox(fileToolbox("workspace")))`.
 *
 * See docs/07-built-in-tools.md.
 */
export const standardToolbox = (...toolboxes: readonly Toolbox[]): Toolbox => ({
  name: "standard",
  tools: openToolList([CalculatorTool, ...toolboxes], "standardToolbox"),
});
