// What other rooms build on, and no application needs.
export { isAgentClass, type SubAgentClass } from "./agent-class.js";
export type { PostedMessage } from "./posted/posted-message.js";
export { streamPosted } from "./posted/stream-posted.js";
export { toolsBehind } from "./response-tools.js";
export { type AroundRun, aroundRun } from "./run/run-hooks.js";
export { type ChooseRun, chooseRun, type RunChoice } from "./run/run-hooks.js";
export { subAgentTool } from "./sub-agents/sub-agent-tool.js";
export { toldOutcome } from "./told-outcome.js";
