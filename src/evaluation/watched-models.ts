import type { ModelInterceptor } from "../agent/internal.js";
import { type ChatModel, type ChatRequest, type ChatResponse, type ModelReference, resolveModel } from "../models/index.js";
import { wrapped } from "../models/internal.js";
import { type KeptAnswers, timed, type TimedAnswer } from "./kept-answers.js";

/** The models of an evaluation's runs: they measure, and answer from what was kept. */
export class WatchedModels implements ModelInterceptor {
  readonly #replacement: ModelReference | undefined;
  readonly #replaced: object;
  readonly #answers: KeptAnswers | undefined;
  readonly #repetition: number;
  readonly #models = new Map<ModelReference, ChatModel | Promise<ChatModel>>();

  /** `replacement` stands in place of the model that `replaced`, an agent's choice, names. */
  constructor(replacement: ModelReference | undefined, replaced: object, answers: KeptAnswers | undefined, repetition: number) {
    this.#replacement = replacement;
    this.#replaced = replaced;
    this.#answers = answers;
    this.#repetition = repetition;
  }

  replacementOf(choice: object): ModelReference | undefined {
    return choice === this.#replaced ? this.#replacement : undefined;
  }

  resolve(reference: ModelReference): ChatModel | Promise<ChatModel> {
    let model = this.#models.get(reference);
    if (model === undefined) this.#models.set(reference, (model = this.#watch(reference)));
    return model;
  }

  async #watch(reference: ModelReference): Promise<ChatModel> {
    const model = await resolveModel(reference);
    return wrapped(model, async (request) => {
      const answer = await this.#answer(model, request);
      return noteTime(answer);
    });
  }

  async #answer(model: ChatModel, request: ChatRequest): Promise<TimedAnswer> {
    const ask = (): Promise<ChatResponse> => model.generate(request);
    if (this.#answers === undefined) return { ...(await timed(ask)), kept: false };
    return this.#answers.answer(request, model.id, this.#repetition, ask);
  }
}

const times = new WeakMap<ChatResponse, TimedAnswer>();

/** A response of its own, so that one kept answer in two runs is counted in each. */
function noteTime(answer: TimedAnswer): ChatResponse {
  const response = { ...answer.response };
  times.set(response, answer);
  return response;
}

/** How long the model took for a response of a watched model. */
export const timeOf = (response: ChatResponse): TimedAnswer | undefined => times.get(response);
