import { longestTimer, orAborted, watchOf } from "../tool/internal.js";
import type { ChatModel, ChatRequest, ChatResponse, ModelDelta } from "./chat-model.js";
import { ModelError } from "./model-error.js";

/** The first wait between two attempts; each further one is twice as long. Milliseconds. */
const firstDelay = 500;
/** No wait is longer, whatever `Retry-After` says: a run must not hang for an hour. Milliseconds. */
const longestDelay = 60_000;

export interface RetryOptions {
  /** Calls in total, the first included. Default: 3. */
  readonly attempts?: number;
  /** Waits `milliseconds`; rejects when the signal is aborted. Tests pass one that doesn't wait. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/**
 * Repeats a call that failed with a retryable `ModelError` (429, 5xx, a broken connection), or whose answer the provider
 * broke off with an error before a tool call: after the time that the provider asked for, else after 0.5 s, 1 s, 2 s, ...
 * shortened by chance by up to a half, so that many runs that failed together don't come back together. No wait exceeds
 * 60 s. The last error is thrown as it is. An answer of which somebody heard a part is not asked for again: it would be
 * told twice.
 *
 * ```ts
 * const model = withRetries(withTimeout(new AiSdkModel(openai("gpt-5-mini")), 60_000));
 * ```
 */
export function withRetries(model: ChatModel, { attempts = 3, sleep = abortableSleep }: RetryOptions = {}): ChatModel {
  const generate = async (request: ChatRequest): Promise<ChatResponse> => {
    const hearing = new Hearing(request);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return refuseBrokenOff(await model.generate(hearing.request), model.id);
      } catch (error) {
        if (!(error instanceof ModelError) || !error.retryable || attempt >= attempts || hearing.hasBegun) throw error;
        const delay = Math.min(error.retryAfter ?? backoff(attempt), longestDelay);
        request.onRetry?.({ error, delay });
        await sleep(delay, request.abortSignal);
      }
    }
  };
  return wrapped(model, generate);
}

/** A request, and whether something of its answer was told. */
class Hearing {
  readonly request: ChatRequest;
  hasBegun = false;

  constructor(request: ChatRequest) {
    const { onDelta } = request;
    const hear = (delta: ModelDelta): void => {
      this.hasBegun = true;
      onDelta?.(delta);
    };
    this.request = onDelta === undefined ? request : { ...request, onDelta: hear };
  }
}

const backoff = (attempt: number): number => firstDelay * 2 ** (attempt - 1) * (1 - Math.random() / 2);

function refuseBrokenOff(response: ChatResponse, modelId: string): ChatResponse {
  // An application's own model may forget to return a response: who asked says so.
  if (response?.finishReason !== "error" || response.toolCalls.length > 0) return response;
  throw new ModelError(modelId, `${modelId}: the provider ended its answer with an error`, { retryable: true });
}

async function abortableSleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await (signal === undefined ? slept : orAborted(slept, signal));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Gives up on a call after `milliseconds`, even where the model ignores its signal, with a retryable `ModelError`.
 * Around `withRetries` it limits all attempts together, inside it each one. 0, Infinity and what no timer can hold mean
 * no limit; throws `RangeError` for what is no time.
 */
export function withTimeout(model: ChatModel, milliseconds: number): ChatModel {
  if (!(milliseconds >= 0))
    throw new RangeError(`withTimeout: ${milliseconds} is no number of milliseconds. 0 or Infinity means no limit.`);
  if (milliseconds === 0 || milliseconds > longestTimer) return model;
  const generate = async (request: ChatRequest): Promise<ChatResponse> => {
    request.abortSignal?.throwIfAborted();
    const controller = new AbortController();
    const { onDelta } = request;
    // A model that ignores its signal must not go on talking to who gave up on it.
    const hear = (delta: ModelDelta): void => (controller.signal.aborted ? undefined : onDelta?.(delta));
    const heard = onDelta === undefined ? request : { ...request, onDelta: hear };
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
    const timer = setTimeout(expire, milliseconds);
    caller?.add(forward);
    try {
      return await orAborted(model.generate({ ...heard, abortSignal: controller.signal }), controller.signal);
    } finally {
      clearTimeout(timer);
      caller?.remove(forward);
    }
  };
  return wrapped(model, generate);
}

/**
 * Asks the models in order until one answers. Goes on after a `ModelError` of any kind: what one provider refuses
 * (a key, a schema, a long prompt) another may take. Where all fail, one `ModelError` tells what each said; it is
 * retryable where one of theirs is. Its `id` is that of the first model. A model of whose answer somebody heard a part has
 * no fallback: its error is thrown as it is.
 */
export function withFallback(models: readonly [ChatModel, ...ChatModel[]]): ChatModel {
  const generate = async (request: ChatRequest): Promise<ChatResponse> => {
    const errors: ModelError[] = [];
    const hearing = new Hearing(request);
    for (const model of models) {
      request.abortSignal?.throwIfAborted();
      const failed = errors.at(-1);
      if (failed !== undefined) request.onRetry?.({ error: failed, delay: 0 });
      try {
        return await model.generate(hearing.request);
      } catch (error) {
        if (!(error instanceof ModelError) || hearing.hasBegun) throw error;
        errors.push(error);
      }
    }
    throw new ModelError(models[0].id, `All ${models.length} models failed. ${errors.map((error) => error.message).join("; ")}`, {
      cause: new AggregateError(errors),
      retryable: errors.some((error) => error.retryable),
      misconfigured: errors.every((error) => error.misconfigured),
    });
  };
  return wrapped(models[0], generate);
}

/** What a model can't take stays the same however often it is asked. */
const wrapped = (model: ChatModel, generate: ChatModel["generate"]): ChatModel =>
  model.refusesTool === undefined
    ? { id: model.id, generate }
    : { id: model.id, refusesTool: (tool) => model.refusesTool?.(tool), generate };
