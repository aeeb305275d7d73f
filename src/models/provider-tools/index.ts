export type { ProviderDialect } from "../../schema/internal.js";
export { fromProviderCall, type ReadCall } from "./from-provider-call.js";
export { fromProviderResponse, type ReadResponse, type RefusedCall } from "./from-provider-response.js";
export type {
  AnthropicTool,
  BedrockTool,
  GeminiTool,
  MistralTool,
  OllamaTool,
  OpenAiChatTool,
  OpenAiResponsesTool,
  ProviderTools,
} from "./provider-tool.js";
export { type ProviderToolOptions, toProviderTools } from "./to-provider-tools.js";
export type { DescribedTool, ProvidableTool } from "./wire-tool.js";
