// What other rooms build on, and no application needs.
export { isAgentClass, type SubAgentClass } from "./agent-class.js";
export type { ChatMessage } from "./chat/chat-message.js";
export { streamChatMessage } from "./chat/answer-chat-message.js";
export { toolsBehind } from "./response-tools.js";
export { type AroundRun, aroundRun } from "./run/run-hooks.js";
export { type ChooseRun, chooseRun, type RunChoice } from "./run/run-hooks.js";
export { subAgentTool } from "./sub-agents/sub-agent-tool.js";
export { publicOutcome } from "./public-outcome.js";
