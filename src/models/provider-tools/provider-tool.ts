/** A schema as it goes over the wire, which is frozen: it may be sent many times. */
export type WireParameters = Record<string, unknown>;

/** A tool for OpenAI's chat completions (`ChatCompletionFunctionTool`). */
export interface OpenAiChatTool {
  type: "function";
  function: { name: string; description: string; parameters: WireParameters; strict: boolean };
}

/** A tool for OpenAI's responses API (`FunctionTool`). `strict` is always set, because the API's default is true. */
export interface OpenAiResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: WireParameters;
  strict: boolean;
}

/** A tool for Anthropic's messages API. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: WireParameters & { type: "object" };
  strict?: boolean;
}

/** Tools for Gemini's `generateContent`. A tool without parameters has no `parameters` there. */
export interface GeminiTool {
  functionDeclarations: { name: string; description: string; parameters?: WireParameters }[];
}

/** A tool for `toolConfig.tools` of Amazon Bedrock's Converse API. */
export interface BedrockTool {
  toolSpec: { name: string; description?: string; inputSchema: { json: WireParameters } };
}

/** A tool for Mistral's chat completions. */
export interface MistralTool {
  type: "function";
  function: { name: string; description: string; parameters: WireParameters };
}

/** A tool for Ollama's `/api/chat`. */
export interface OllamaTool {
  type: "function";
  function: {
    name: string;
    description: string;
    parameters: WireParameters & { type: "object"; properties: Record<string, WireParameters> };
  };
}

/** The list of tools that each API takes, by dialect. */
export interface ProviderTools {
  "openai-chat": OpenAiChatTool[];
  "openai-responses": OpenAiResponsesTool[];
  anthropic: AnthropicTool[];
  gemini: GeminiTool[];
  bedrock: BedrockTool[];
  mistral: MistralTool[];
  ollama: OllamaTool[];
}
