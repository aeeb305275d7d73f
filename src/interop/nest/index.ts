export { AgentFactory } from "./agent-factory.js";
export type { ToolwrightFeatureOptions, ToolwrightModuleAsyncOptions, ToolwrightModuleOptions } from "./options.js";
export { ToolContainer } from "./tool-container.js";
export { ToolwrightModule } from "./toolwright-module.js";
