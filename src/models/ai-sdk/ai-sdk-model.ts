import type { ChatModel, ChatRequest, ChatResponse } from "../chat-model.js";
import { toModelError } from "./errors.js";
import type { AiSdkCallOptions, AiSdkLanguageModel } from "./language-model.js";
import { toPrompt, toTools } from "./prompt.js";
import { toResponse } from "./response.js";

const specifications: ReadonlySet<unknown> = new Set(["v2", "v3", "v4"]);

/** True for a language-model object of the AI SDK, of any specification (v1 included, which `AiSdkModel` refuses). */
export const isAiSdkLanguageModel = (value: unknown): value is AiSdkLanguageModel =>
  typeof value === "object" && value !== null && "specificationVersion" in value && "doGenerate" in value;

/**
 * A model of any provider package of the Vercel AI SDK.
 *
 * ```ts
 * import { openai } from "@ai-sdk/openai";
 *
 * const model = new AiSdkModel(openai("gpt-5-mini"));
 * ```
 *
 * Takes language models of the specifications v2 (AI SDK 5), v3 (6) and v4 (7). Reasoning, item ids and thought
 * signatures go back to the provider as it sent them. Failures of provider and network are `ModelError`s; an aborted
 * request rejects with the reason of its signal.
 */
export class AiSdkModel implements ChatModel {
  /** `openai/gpt-5-mini`: the provider package and the model's own id. */
  readonly id: string;
  readonly #model: AiSdkLanguageModel;

  constructor(model: AiSdkLanguageModel) {
    this.id = `${model.provider.split(".")[0]}/${model.modelId}`;
    if (!specifications.has(model.specificationVersion)) {
      throw new Error(
        `${this.id}: specification "${model.specificationVersion}" of the AI SDK's language models is not supported; ` +
          "v2, v3 and v4 are. Install another version of the provider's package.",
      );
    }
    this.#model = model;
  }

  async generate(request: ChatRequest): Promise<ChatResponse> {
    request.abortSignal?.throwIfAborted();
    try {
      return toResponse(await this.#model.doGenerate(this.#callOptions(request)));
    } catch (error) {
      request.abortSignal?.throwIfAborted();
      throw toModelError(this.id, error);
    }
  }

  #callOptions({ messages, tools, options = {}, abortSignal }: ChatRequest): AiSdkCallOptions {
    const { stopSequences, ...settings } = options;
    return {
      ...settings,
      prompt: toPrompt(messages),
      ...(stopSequences !== undefined && { stopSequences: [...stopSequences] }),
      ...(tools.length > 0 && { tools: toTools(tools, this.#model.provider) }),
      ...(abortSignal !== undefined && { abortSignal }),
    };
  }
}
