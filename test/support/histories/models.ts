import type { Wire } from "./rules.js";

/** The functions of the provider packages that make a provider; those of AI SDK 6 and of AI SDK 7 have the same names, and settings of other types. */
export type ProviderPackages = Readonly<Record<string, any>>;

/** The packages by their names: an installed tree has those of one line. */
const names = ["amazon-bedrock", "anthropic", "cohere", "deepseek", "google", "groq", "mistral", "openai", "openai-compatible", "xai"];

export async function loadPackages(): Promise<ProviderPackages> {
  const loaded = await Promise.all(names.map((name) => import(`@ai-sdk/${name}`)));
  return Object.assign({}, ...loaded);
}

/** The models of all wires, on one server or by the `fetch` that answers for all. */
export function modelsOn(answering: typeof fetch | string, packages: ProviderPackages): Readonly<Record<Wire, unknown>> {
  const [url, fetching] = typeof answering === "string" ? [answering, {}] : ["http://provider.test", { fetch: answering }];
  const make = (factory: string, wire: Wire, path = "", settings = {}) =>
    packages[factory]?.({ apiKey: "test-key", baseURL: `${url}/${wire}${path}`, ...fetching, ...settings });
  return {
    openai: make("createOpenAI", "openai").chat("gpt-5-mini"),
    "openai-responses": make("createOpenAI", "openai-responses").responses("gpt-5-mini"),
    anthropic: make("createAnthropic", "anthropic")("claude-opus-5-5"),
    google: make("createGoogleGenerativeAI", "google")("gemini-3-pro-preview"),
    mistral: make("createMistral", "mistral")("mistral-large-latest"),
    groq: make("createGroq", "groq")("openai/gpt-oss-120b"),
    "amazon-bedrock": make("createAmazonBedrock", "amazon-bedrock", "", { region: "us-east-1" })(
      "anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    cohere: make("createCohere", "cohere")("command-a-03-2025"),
    deepseek: make("createDeepSeek", "deepseek")("deepseek-v4-flash"),
    xai: xai(make("createXai", "xai")),
    "openai-compatible": make("createOpenAICompatible", "openai-compatible", "", { name: "local" })("kimi-k2"),
  };
}

/** AI SDK 7 has the Responses API of xAI alone. */
const xai = ({ chat, responses }: ProviderPackages): unknown => (chat ?? responses)("grok-4");
