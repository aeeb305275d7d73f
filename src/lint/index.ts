export { checkTools } from "./check-tools.js";
export type { ToolFinding, ToolRule } from "./finding.js";
