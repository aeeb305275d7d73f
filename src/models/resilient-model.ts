import { setTimeout as wait } from "node:timers/promises";
import type { ChatModel, ChatRequest, ChatResponse } from "./chat-model.js";
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
 * Repeats a call that failed with a retryable `ModelError` (429, 5xx, a broken connection): after the time that the
 * provider asked for, else after 0.5 s, 1 s, 2 s, ... shortened by chance by up to a half, so that many runs that
 * failed together don't come back together. No wait exceeds 60 s. The last error is thrown as it is.
 *
 * ```ts
 * const model = withRetries(withTimeout(new AiSdkModel(openai("gpt-5-mini")), 60_000));
 * ```
 */
export function withRetries(model: ChatModel, { attempts = 3, sleep = abortableSleep }: RetryOptions = {}): ChatModel {
  const generate = async (request: ChatRequest): Promise<ChatResponse> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await model.generate(request);
      } catch (error) {
        if (!(error instanceof ModelError) || !error.retryable || attempt >= attempts) throw error;
        await sleep(Math.min(error.retryAfter ?? backoff(attempt), longestDelay), request.abortSignal);
      }
    }
  };
  return { id: model.id, generate };
}

const backoff = (attempt: number): number => firstDelay * 2 ** (attempt - 1) * (1 - Math.random() / 2);

async function abortableSleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(milliseconds, undefined, { ...(signal !== undefined && { signal }) });
  } catch {
    // The timer's own AbortError hides the reason of the signal.
    signal?.throwIfAborted();
  }
}

/**
 * Gives up on a call after `milliseconds`, even where the model ignores its signal, with a retryable `ModelError`.
 * Around `withRetries` it limits all attempts together, inside it each one.
 */
export function withTimeout(model: ChatModel, milliseconds: number): ChatModel {
  const generate = async (request: ChatRequest): Promise<ChatResponse> => {
    const outer = request.abortSignal;
    outer?.throwIfAborted();
    const controller = new AbortController();
    const released = new Promise<never>((_resolve, reject) => {
      controller.signal.addEventListener("abort", () => reject(controller.signal.reason), { once: true });
    });
    const expire = () =>
      controller.abort(new ModelError(model.id, `${model.id}: no answer within ${milliseconds} ms`, { retryable: true }));
    const forward = () => controller.abort(outer?.reason);
    const timer = setTimeout(expire, milliseconds);
    outer?.addEventListener("abort", forward, { once: true });
    try {
      return await Promise.race([model.generate({ ...request, abortSignal: controller.signal }), released]);
    } finally {
      clearTimeout(timer);
      outer?.removeEventListener("abort", forward);
    }
  };
  return { id: model.id, generate };
}

/**
 * Asks the models in order until one answers. Goes on after a `ModelError` of any kind: what one provider refuses
 * (a key, a schema, a long prompt) another may take. Where all fail, one `ModelError` tells what each said; it is
 * retryable where one of theirs is. Its `id` is that of the first model.
 */
export function withFallback(models: readonly [ChatModel, ...ChatModel[]]): ChatModel {
  const generate = async (request: ChatRequest): Promise<ChatResponse> => {
    const errors: ModelError[] = [];
    for (const model of models) {
      try {
        return await model.generate(request);
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        errors.push(error);
      }
    }
    throw new ModelError(models[0].id, `All ${models.length} models failed. ${errors.map((error) => error.message).join("; ")}`, {
      cause: new AggregateError(errors),
      retryable: errors.some((error) => error.retryable),
    });
  };
  return { id: models[0].id, generate };
}
