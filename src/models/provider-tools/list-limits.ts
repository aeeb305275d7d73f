import { warnProcess } from "../../redaction/internal.js";
import type { ModelTool } from "../chat-model.js";
import { ModelError } from "../model-error.js";

/** How many tools one request may hold. */
interface ListLimit {
  readonly most: number;
  /** Each longer list is rejected, so that the request needn't be made. Else a longer one is sent, with a warning. */
  readonly isCertain: boolean;
  /** The provider's own tools don't count. */
  readonly countsFunctions?: true;
}

/**
 * By the names of provider packages' APIs (`openai.chat`) and of dialects (`openai-chat`). An API that isn't here has no known limit.
 *
 * OpenAI's API reference, "Create chat completion", `tools`: "A max of 128 functions are supported". Azure's "Quotas and limits":
 * "/chat/completions tools: 128". Groq: "'tools' : maximum number of items is 128". Gemini: "At most 512 function declarations can be
 * specified". docs/11-providers.md has more of the sources.
 */
const limits: readonly (readonly [RegExp, ListLimit])[] = [
  [/^((openai|azure|azure-openai)\.chat|groq\.chat)$/, { most: 128, isCertain: true }],
  [/^google(\.|$)/, { most: 512, isCertain: true, countsFunctions: true }],
  // The Responses API has no published limit. A dialect may be sent to a compatible server, or in several requests.
  [/^((openai|azure|azure-openai)\.responses|openai-chat|openai-responses)$/, { most: 128, isCertain: false }],
  [/^gemini$/, { most: 512, isCertain: false }],
];

const limitOf = (api: string): ListLimit | undefined => limits.find(([pattern]) => pattern.test(api))?.[1];

/** Warns of a list that a provider may reject as a whole. */
export function warnOfLongList(api: string, count: number): void {
  const limit = limitOf(api);
  if (limit === undefined || count <= limit.most) return;
  warnProcess(`${count} tools may be too many for ${api}: requests with more than ${limit.most} are known to fail. ${fix}`);
}

/** Checks the lists of tools of one model's requests. */
export class ListCheck {
  readonly #modelId: string;
  readonly #api: string;
  readonly #limit: ListLimit | undefined;
  /** The longest list that was warned of: each longer one is. */
  #longest = 0;

  /** `api`: the provider of the model, such as `openai.chat`. */
  constructor(modelId: string, api: string) {
    this.#modelId = modelId;
    this.#api = api;
    this.#limit = limitOf(api);
  }

  /** Throws `ModelError` if the provider would reject the list. */
  check(tools: readonly ModelTool[]): void {
    const limit = this.#limit;
    if (limit === undefined || tools.length <= limit.most) return;
    if (!limit.isCertain) {
      if (tools.length <= this.#longest) return;
      this.#longest = tools.length;
      warnOfLongList(this.#api, tools.length);
      return;
    }
    const count = limit.countsFunctions ? tools.filter(({ providerTool }) => providerTool === undefined).length : tools.length;
    if (count <= limit.most) return;
    throw new ModelError(
      this.#modelId,
      `${this.#modelId}: ${count} tools are too many for one request: ${this.#api} takes ${limit.most}. ${fix}`,
      { retryable: false },
    );
  }
}

const fix = "Offer fewer at a time: defer tools with @deferred(), or use a resolver of @usesTools, a profile, or prepareStep.";
