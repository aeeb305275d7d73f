export { AgentFactory } from "./agent-factory.js";
export type { ToolwrightFeatureOptions, ToolwrightModuleAsyncOptions, ToolwrightModuleOptions } from "./module-options.js";
export { ToolContainer } from "./tool-container.js";
export { ToolwrightModule } from "./toolwright-module.js";
