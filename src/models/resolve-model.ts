import { type AiSdkLanguageModel, isAiSdkLanguageModel } from "./ai-sdk/language-model.js";
import { providerNames, providerPackages } from "./ai-sdk/provider-packages.js";
import type { ChatModel } from "./chat-model.js";
import { ModelError } from "./model-error.js";

/** A model: a string such as `"openai/gpt-5-mini"`, a model object of the AI SDK, or a `ChatModel`. See docs/03-agents.md. */
export type ModelReference = string | ChatModel | AiSdkLanguageModel;

/**
 * Returns the model that a reference names.
 *
 * | reference | model |
 * | --- | --- |
 * | `"openai/gpt-5-mini"` | the AI SDK's package `@ai-sdk/openai`, loaded on use, with its own variable (`OPENAI_API_KEY`); also `anthropic`, `google`, `mistral`, `xai`, `groq`, `azure`, `amazon-bedrock`, `cohere`, `deepseek` |
 * | `"ollama/llama3.2"` | the Ollama server at `OLLAMA_HOST`, by default on this machine, port 11434 |
 * | `"http://localhost:1234/v1#qwen3"` | a server with OpenAI's chat completions: base URL, `#`, model. `OPENAI_COMPATIBLE_API_KEY` is sent if it is set |
 * | `"embedded/keyword"` | `KeywordModel`: not a language model, no network |
 * | a model object of the AI SDK | `AiSdkModel`, specification v2 to v4 |
 * | a `ChatModel` | itself |
 *
 * Throws `ModelError` for an invalid reference, and rejects with one if a package isn't installed; the message says what to write
 * or install. A missing key is reported at the first call. See docs/03-agents.md.
 */
export function resolveModel(reference: ModelReference): ChatModel | Promise<ChatModel> {
  if (typeof reference === "string") return modelOfText(reference);
  if (isAiSdkLanguageModel(reference)) return adapt(reference);
  if (isChatModel(reference)) return reference;
  throw new ModelError(
    "unknown",
    `A model is a text such as "openai/gpt-5-mini", a language-model object of the AI SDK, or a ChatModel; this is ${typeof reference}.`,
    { retryable: false, misconfigured: true },
  );
}

// Each kind of model is loaded on use: an application needs one of them, and its start would pay for all.

async function adapt(model: AiSdkLanguageModel): Promise<ChatModel> {
  const { AiSdkModel } = await import("./ai-sdk/ai-sdk-model.js");
  return new AiSdkModel(model);
}

async function loadKeywordModel(): Promise<ChatModel> {
  const { KeywordModel } = await import("./keyword/keyword-model.js");
  return new KeywordModel();
}

async function loadOllamaModel(modelId: string): Promise<ChatModel> {
  const { ollamaUrl } = await import("./ai-sdk/ollama.js");
  return loadCompatible({ name: "ollama", baseURL: ollamaUrl() }, modelId);
}

async function loadCompatible(settings: { name: string; baseURL: string; apiKey?: string }, modelId: string): Promise<ChatModel> {
  const { loadCompatibleModel } = await import("./ai-sdk/providers.js");
  return loadCompatibleModel(settings, modelId);
}

const isChatModel = (value: unknown): value is ChatModel =>
  typeof value === "object" && value !== null && "id" in value && "generate" in value && typeof value.generate === "function";

function modelOfText(reference: string): ChatModel | Promise<ChatModel> {
  if (/^https?:/i.test(reference)) return modelOfUrl(reference);
  const slash = reference.indexOf("/");
  const provider = reference.slice(0, slash);
  const modelId = reference.slice(slash + 1);
  if (reference === "embedded/keyword") return loadKeywordModel();
  if (provider === "ollama" && modelId !== "") return loadOllamaModel(modelId);
  const known = slash > 0 && modelId !== "" ? providerPackages.get(provider) : undefined;
  if (known !== undefined)
    return import("./ai-sdk/providers.js").then(({ loadProviderModel }) => loadProviderModel(known, reference, modelId));
  throw new ModelError(
    reference,
    `Model "${reference}" is not known. Write provider/model, such as "openai/gpt-5-mini", with one of these providers: ` +
      `${[...providerNames, "ollama"].join(", ")}; or "embedded/keyword"; or the URL of an OpenAI-compatible server, such as ` +
      '"http://localhost:1234/v1#model"; or pass a language-model object of any other provider for the AI SDK.',
    { retryable: false, misconfigured: true },
  );
}

function modelOfUrl(reference: string): Promise<ChatModel> {
  const url = URL.canParse(reference) ? new URL(reference) : undefined;
  const modelId = url?.hash.slice(1) ?? "";
  if (url === undefined || modelId === "" || url.username !== "" || url.password !== "" || url.search !== "") {
    // The reference itself is not shown: it may hold a password.
    throw new ModelError(
      "openai-compatible",
      `The model's URL${url === undefined ? "" : ` (host ${url.host})`} must be a base URL, "#" and the model's name, such as ` +
        '"http://localhost:1234/v1#model", without user, password or query. The key goes into OPENAI_COMPATIBLE_API_KEY.',
      { retryable: false, misconfigured: true },
    );
  }
  const apiKey = process.env.OPENAI_COMPATIBLE_API_KEY;
  const baseURL = `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, "")}`;
  return loadCompatible({ name: "openai-compatible", baseURL, ...(apiKey && { apiKey }) }, modelId);
}
