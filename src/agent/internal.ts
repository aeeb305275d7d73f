// What other rooms build on, and no application needs.
export { isAgentClass } from "./agent-mark.js";
export { isExpired } from "./confirmation/fingerprint.js";
export { type ChooseRun, chooseRun, type RunChoice } from "./run/run-choice.js";
export { subAgentTool } from "./sub-agents/sub-agent-tool.js";
