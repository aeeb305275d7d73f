import type { ModelInterceptor } from "../agent/internal.js";
import { type ChatModel, type ChatRequest, type ChatResponse, type ModelReference, resolveModel } from "../models/index.js";
import { wrapped } from "../models/internal.js";
import { type KeptAnswers, timed, type TimedAnswer } from "./kept-answers.js";

/** The models of an evaluation's runs, which measure, and answer from what was kept. */
export class WatchedModels {
  readonly #answers: KeptAnswers | undefined;
  readonly #repetition: number;
  readonly #models = new Map<ModelReference, ChatModel | Promise<ChatModel>>();
  readonly replacement: ModelReference | undefined;
  readonly replaced: object;

  /** `replacement` stands in place of the model that `replaced`, an agent's choice, names. */
  constructor(replacement: ModelReference | undefined, replaced: object, answers: KeptAnswers | undefined, repetition: number) {
    this.replacement = replacement;
    this.replaced = replaced;
    this.#answers = answers;
    this.#repetition = repetition;
  }

  /** The model behind a reference, made once. */
  resolve(reference: ModelReference): ChatModel | Promise<ChatModel> {
    let model = this.#models.get(reference);
    if (model === undefined) this.#models.set(reference, (model = resolveModel(reference)));
    return model;
  }

  async answer(model: ChatModel, request: ChatRequest): Promise<TimedAnswer> {
    const ask = (): Promise<ChatResponse> => model.generate(request);
    if (this.#answers === undefined) return { ...(await timed(ask)), kept: false };
    return this.#answers.answer(request, model.id, this.#repetition, ask);
  }
}

/** The models of one run, and what it asked of them. */
export class RunModels implements ModelInterceptor {
  readonly #models: WatchedModels;
  requests = 0;
  keptRequests = 0;
  /** Milliseconds that the models took for the kept answers. */
  savedMilliseconds = 0;

  constructor(models: WatchedModels) {
    this.#models = models;
  }

  replacementOf(choice: object): ModelReference | undefined {
    return choice === this.#models.replaced ? this.#models.replacement : undefined;
  }

  async resolve(reference: ModelReference): Promise<ChatModel> {
    const model = await this.#models.resolve(reference);
    return wrapped(model, async (request) => {
      const { response, kept, milliseconds } = await this.#models.answer(model, request);
      this.requests += 1;
      if (kept) this.keptRequests += 1;
      if (kept) this.savedMilliseconds += milliseconds;
      return response;
    });
  }
}
