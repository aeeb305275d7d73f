export type { AdapterOptions } from "../adapter/adapter-options.js";
export { ToolFailureError } from "../adapter/tool-failure-error.js";
export { repairToolCall } from "./repair-tool-call.js";
export { type AiSdkCall, type AiSdkToolOptions, type AiSdkToolSet, toAiSdkTools } from "./to-ai-sdk-tools.js";
export { type MastraCall, type MastraToolOptions, toMastraTools } from "./to-mastra-tools.js";
