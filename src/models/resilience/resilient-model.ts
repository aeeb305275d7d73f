import { startDeadline } from "../../timing/index.js";
import { longestTimer, orAborted, watchOf } from "../../tool/internal.js";
import type { ChatModel, ChatRequest, ChatResponse, ModelDelta } from "../chat-model.js";
import { StreamedRequest, wrapped } from "./wrapped-model.js";
import { ModelError } from "../model-error.js";

/**
 * Limits the time of each call of a model. A call that takes longer fails with a retryable `ModelError`, even if the model ignores
 * its signal.
 *
 * `withTimeout(withRetries(model), 60_000)` limits all attempts together; `withRetries(withTimeout(model, 60_000))` limits each
 * one. 0 and Infinity mean no limit. Throws `RangeError` if `milliseconds` isn't a time. See docs/03-agents.md.
 */
export function withTimeout(model: ChatModel, milliseconds: number): ChatModel {
  if (!(milliseconds >= 0))
    throw new RangeError(`withTimeout: ${milliseconds} isn't a number of milliseconds. 0 or Infinity means no limit.`);
  if (milliseconds === 0 || milliseconds > longestTimer) return model;
  const generate = async (request: ChatRequest): Promise<ChatResponse> => {
    request.abortSignal?.throwIfAborted();
    const controller = new AbortController();
    const { onDelta } = request;
    // A model that ignores its signal must not go on talking to who gave up on it.
    const pass = (delta: ModelDelta): void => (controller.signal.aborted ? undefined : onDelta?.(delta));
    const streamed = onDelta === undefined ? request : { ...request, onDelta: pass };
    const expire = () =>
      controller.abort(
        new ModelError(
          model.id,
          `${model.id}: no answer within ${milliseconds} ms. Give it longer (timeout of @model), or try again later.`,
          { retryable: true },
        ),
      );
    const caller = request.abortSignal && watchOf(request.abortSignal);
    const forward = { cancel: (reason: unknown) => controller.abort(reason) };
    const cancel = startDeadline(milliseconds, expire);
    caller?.add(forward);
    try {
      return await orAborted(model.generate({ ...streamed, abortSignal: controller.signal }), controller.signal);
    } finally {
      cancel();
      caller?.remove(forward);
    }
  };
  return wrapped(model, generate);
}

/**
 * Calls the models in order until one answers:
 * `withFallback([new AiSdkModel(openai("gpt-5-mini")), new AiSdkModel(anthropic("claude-haiku-4-5"))])`.
 *
 * It continues after any `ModelError`, because another provider may accept what one rejects. If all fail, it throws one
 * `ModelError` that quotes each error and is retryable if one of them is. After a part of an answer was streamed there is no
 * fallback: the error is thrown as it is. Its `id` is that of the first model. See docs/03-agents.md.
 */
export function withFallback(models: readonly [ChatModel, ...ChatModel[]]): ChatModel {
  const generate = async (request: ChatRequest): Promise<ChatResponse> => {
    const errors: ModelError[] = [];
    const streamed = new StreamedRequest(request);
    for (const model of models) {
      request.abortSignal?.throwIfAborted();
      const failed = errors.at(-1);
      if (failed !== undefined) request.onRetry?.({ error: failed, delay: 0 });
      try {
        return await model.generate(streamed.request);
      } catch (error) {
        if (!(error instanceof ModelError) || streamed.hasBegun) throw error;
        errors.push(error);
      }
    }
    throw new ModelError(models[0].id, `All ${models.length} models failed. ${errors.map((error) => error.message).join("; ")}`, {
      cause: new AggregateError(errors),
      retryable: errors.some((error) => error.retryable),
      misconfigured: errors.every((error) => error.misconfigured),
    });
  };
  const runsProviderTool = (id: string): boolean => models.every((model) => model.runsProviderTool?.(id) === true);
  return { ...wrapped(models[0], generate), runsProviderTool };
}
