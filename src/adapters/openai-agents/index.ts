export type { AdapterOptions } from "../adapter/adapter-options.js";
export { type OpenAiAgentsTool, type OpenAiAgentsToolOptions, toOpenAiAgentsTools } from "./to-openai-agents-tools.js";
