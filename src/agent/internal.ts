// What other rooms build on, and no application needs.
export { isAgentClass } from "./agent-mark.js";
export type { PostedMessage } from "./posted/posted-message.js";
export { streamPosted } from "./posted/stream-posted.js";
export { toolsBehind } from "./response-tools.js";
export { type AroundRun, aroundRun } from "./run/around-run.js";
export { type ChooseRun, chooseRun, type RunChoice } from "./run/run-choice.js";
export { subAgentTool } from "./sub-agents/sub-agent-tool.js";
export { toldOutcome } from "./told-outcome.js";
