export { type AgentOutput, agentOutputOf } from "./agent-output.js";
