/** A schema as it goes over the wire, which is frozen: it may be sent many times. */
export type WireParameters = Record<string, unknown>;

/** A tool for OpenAI's chat completions (`ChatCompletionFunctionTool`). */
export interface OpenAiChatTool {
  type: "function";
  function: { name: string; description: string; parameters: WireParameters; strict: boolean };
}

/** A tool for OpenAI's responses (`FunctionTool`), which makes a tool strict that doesn't say that it isn't. */
export interface OpenAiResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: WireParameters;
  strict: boolean;
}

/** A tool for Anthropic's messages. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: WireParameters & { type: "object" };
  strict?: boolean;
}

/** The tools for Gemini's `generateContent`. A tool without parameters has none there. */
export interface GeminiTool {
  functionDeclarations: { name: string; description: string; parameters?: WireParameters }[];
}

/** A tool for `toolConfig.tools` of Bedrock's Converse. */
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

/** What each API takes as its list of tools. */
export interface ProviderTools {
  "openai-chat": OpenAiChatTool[];
  "openai-responses": OpenAiResponsesTool[];
  anthropic: AnthropicTool[];
  gemini: GeminiTool[];
  bedrock: BedrockTool[];
  mistral: MistralTool[];
  ollama: OllamaTool[];
}
