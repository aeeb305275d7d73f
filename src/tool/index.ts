// Emitted types are lost for classes that are defined before this module is there.
import "reflect-metadata";

export * from "./content/content-part.js";
export { file, image } from "./content/make-part.js";
export * from "./create-tool.js";
export * from "./create-tool-definition.js";
export * from "./decorators/index.js";
export {
  ToolAuthorizationError,
  ToolDefinitionError,
  ToolError,
  ToolExecutionError,
  ToolInputValidationError,
  ToolNotFoundError,
  ToolOutputValidationError,
  ToolTimeoutError,
  ToolValidationError,
} from "./tool-errors.js";
export { ToolInterrupt } from "./interrupt.js";
export * from "./tool-listener.js";
export { Tool, type ToolConstructor } from "./tool.js";
export type { ToolClass, Toolbox } from "./tool-class.js";
export type { ApplicationContext } from "./application-context.js";
export * from "./tool-context.js";
export * from "./tool-definition.js";
export { providerTool } from "./provider-tool.js";
export { failure, json, type ToolResponse, text } from "./tool-response.js";
export * from "./tool-result.js";
export type { ArgumentsOf, ToolCallInput, ToolCallOutput } from "./tool-types.js";
