import { ModelError } from "../model-error.js";
import { AiSdkModel } from "./ai-sdk-model.js";
import type { AiSdkLanguageModel } from "./language-model.js";
import { compatiblePackage, type ProviderPackage } from "./provider-packages.js";

/** Loads the provider's package and makes the model. */
export async function loadProviderModel(provider: ProviderPackage, reference: string, modelId: string): Promise<AiSdkModel> {
  const factory = await load(provider, reference);
  return new AiSdkModel(factory(modelId) as AiSdkLanguageModel);
}

/** A model behind an OpenAI-compatible URL. `name` becomes the first half of the model's id. */
export async function loadCompatibleModel(
  settings: { name: string; baseURL: string; apiKey?: string },
  modelId: string,
): Promise<AiSdkModel> {
  const factory = await load(compatiblePackage, `${settings.name}/${modelId}`);
  // Such servers count a stream's tokens only if they are asked to, and those in use can hold an answer to a schema.
  const provider = factory({ ...settings, includeUsage: true, supportsStructuredOutputs: true }) as (modelId: string) => AiSdkLanguageModel;
  return new AiSdkModel(provider(modelId));
}

/** The packages are optional peers, loaded on use: their table says what each exports. */
async function load(provider: ProviderPackage, reference: string): Promise<(argument: unknown) => unknown> {
  const loaded = await importPackage(provider, reference);
  return loaded[provider.factory] as (argument: unknown) => unknown;
}

async function importPackage({ name, majorForNode20 }: ProviderPackage, reference: string): Promise<Record<string, unknown>> {
  try {
    // Bundlers leave it to the runtime: they can't know which package the name is of.
    return (await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name)) as Record<string, unknown>;
  } catch (error) {
    const { message } = error as Error;
    // A package that is there but lacks one of its own dependencies fails in the same way.
    const isMissing = /(Cannot find|Could not resolve|No such|Module not found)/.test(message) && new RegExp(`['"/]${name}`).test(message);
    if (!isMissing) throw error;
    const version = Number.parseInt(process.versions.node, 10) < 22 ? `@${majorForNode20}` : "";
    throw new ModelError(
      reference,
      `${reference} needs the package ${name}, which is not installed. Run: npm install ${name}${version}. ` +
        "In a bundle, pass the model object.",
      { cause: error, retryable: false, misconfigured: true },
    );
  }
}
