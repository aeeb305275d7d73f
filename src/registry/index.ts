export { createRegistry, type RegistryOptions } from "./create-registry.js";
export { fromRegistry, useRegistry } from "./from-registry.js";
export type { RegistryExecutor } from "./registry-executor.js";
export type { ToolRegistry, ToolSelection } from "./tool-registry.js";
export { createWorkspace, type Workspace, type WorkspaceBuilder } from "./workspace.js";
