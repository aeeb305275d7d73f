/** A package of the AI SDK: an optional peer, loaded on use. */
export interface ProviderPackage {
  readonly name: string;
  /** The export that makes a model from its id. */
  readonly factory: string;
  /** The newest major version that runs on Node 20; the one after it needs Node 22. */
  readonly majorForNode20: number;
}

export const providerPackages: ReadonlyMap<string, ProviderPackage> = new Map([
  ["openai", { name: "@ai-sdk/openai", factory: "openai", majorForNode20: 3 }],
  ["anthropic", { name: "@ai-sdk/anthropic", factory: "anthropic", majorForNode20: 3 }],
  ["google", { name: "@ai-sdk/google", factory: "google", majorForNode20: 3 }],
  ["mistral", { name: "@ai-sdk/mistral", factory: "mistral", majorForNode20: 3 }],
  ["xai", { name: "@ai-sdk/xai", factory: "xai", majorForNode20: 3 }],
  ["groq", { name: "@ai-sdk/groq", factory: "groq", majorForNode20: 3 }],
  ["azure", { name: "@ai-sdk/azure", factory: "azure", majorForNode20: 3 }],
  ["amazon-bedrock", { name: "@ai-sdk/amazon-bedrock", factory: "bedrock", majorForNode20: 4 }],
  ["cohere", { name: "@ai-sdk/cohere", factory: "cohere", majorForNode20: 3 }],
  ["deepseek", { name: "@ai-sdk/deepseek", factory: "deepseek", majorForNode20: 2 }],
]);

export const compatiblePackage: ProviderPackage = {
  name: "@ai-sdk/openai-compatible",
  factory: "createOpenAICompatible",
  majorForNode20: 2,
};

/** The prefixes of references to models. */
export const providerNames: readonly string[] = [...providerPackages.keys()];
