// What other rooms build on, and no application needs.
export { isAgentClass, type SubAgentClass } from "./agent-class.js";
export type { ChatMessage } from "./chat/chat-message.js";
export { streamChatMessage } from "./chat/answer-chat-message.js";
export { toolsBehind } from "./response-tools.js";
export { type AroundRun, aroundRun } from "./run/run-hooks.js";
export { type ChooseRun, chooseRun, type RunChoice } from "./run/run-hooks.js";
export { subAgentTool } from "./sub-agents/sub-agent-tool.js";
export { publicOutcome } from "./public-outcome.js";
export { describeStep } from "./agent-response.js";
export { checkApprovals, checkDecisions } from "./run/check-decisions.js";
export { obstacleSearch } from "./run/decision-obstacle.js";
export { recoveryEvents } from "./run/recovered-calls.js";
export { recordedNames, stateOf } from "./run/recorded-run.js";
export { recordedResponse } from "./run/recorded-response.js";
export { carryOn, handOver } from "./run/run-hooks.js";
export { type OpenedJournal, RunJournal } from "./run/run-journal.js";
export { toolResultEvent } from "./stream/agent-event.js";
export { makeAgent } from "./sub-agents/run-sub-agent.js";
