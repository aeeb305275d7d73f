export type { AgentClassDecorator } from "./agent-class-decorator.js";
export * from "./budget.js";
export * from "./guardrail.js";
export * from "./history.js";
export * from "./instructions.js";
export * from "./max-steps.js";
export * from "./model.js";
export * from "./uses-container.js";
export * from "./uses-tools.js";
