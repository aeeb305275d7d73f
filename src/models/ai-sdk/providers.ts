import { ModelError } from "../model-error.js";
import { AiSdkModel } from "./ai-sdk-model.js";
import type { AiSdkLanguageModel } from "./language-model.js";

interface ProviderPackage {
  readonly name: string;
  /** The export that makes a model from its id. */
  readonly factory: string;
  /** The newest major version that runs on Node 20; the one after it needs Node 22. */
  readonly majorForNode20: number;
}

const packages: ReadonlyMap<string, ProviderPackage> = new Map([
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

const compatible: ProviderPackage = { name: "@ai-sdk/openai-compatible", factory: "createOpenAICompatible", majorForNode20: 2 };

/** The prefixes that `loadProviderModel` knows. */
export const providerNames: readonly string[] = [...packages.keys()];

/** Loads the provider's package and makes the model; `undefined` for a provider that isn't known. */
export function loadProviderModel(provider: string, modelId: string): Promise<AiSdkModel> | undefined {
  const known = packages.get(provider);
  return known && load(known, `${provider}/${modelId}`).then((factory) => new AiSdkModel(factory(modelId) as AiSdkLanguageModel));
}

/** A model behind an OpenAI-compatible URL. `name` becomes the first half of the model's id. */
export async function loadCompatibleModel(
  settings: { name: string; baseURL: string; apiKey?: string },
  modelId: string,
): Promise<AiSdkModel> {
  const factory = await load(compatible, `${settings.name}/${modelId}`);
  // Such servers count a stream's tokens only where they are asked to, and those in use can hold an answer to a schema.
  const provider = factory({ ...settings, includeUsage: true, supportsStructuredOutputs: true }) as (modelId: string) => AiSdkLanguageModel;
  return new AiSdkModel(provider(modelId));
}

/** The packages are optional peers, loaded on use: the table above says what each exports. */
async function load(provider: ProviderPackage, reference: string): Promise<(argument: unknown) => unknown> {
  const loaded = await importPackage(provider, reference);
  return loaded[provider.factory] as (argument: unknown) => unknown;
}

async function importPackage({ name, majorForNode20 }: ProviderPackage, reference: string): Promise<Record<string, unknown>> {
  try {
    return (await import(name)) as Record<string, unknown>;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A package that is there but lacks one of its own dependencies fails with the same code.
    const isMissing = (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") && message.includes(`'${name}'`);
    if (!isMissing) throw error;
    const version = Number.parseInt(process.versions.node, 10) < 22 ? `@${majorForNode20}` : "";
    throw new ModelError(reference, `${reference} needs the package ${name}, which is not installed. Run: npm install ${name}${version}`, {
      cause: error,
      retryable: false,
      misconfigured: true,
    });
  }
}
