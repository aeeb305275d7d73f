import { checkOptionNames, type OptionNames, orAborted } from "../../tool/internal.js";
import type { ChatModel, ChatRequest, ChatResponse } from "../chat-model.js";
import { StreamedRequest, wrapped } from "./wrapped-model.js";
import { ModelError } from "../model-error.js";
import { type RetryTurns, turnsOf } from "./retry-turns.js";
import { refuseUnfinished } from "./unfinished-answer.js";

/** The first wait between two attempts; each further one is twice as long. Milliseconds. */
const firstDelay = 500;
/** No wait is longer, whatever `Retry-After` says, but for the random part: a run must not hang for an hour. Milliseconds. */
const longestDelay = 60_000;
/** The most by which chance and other runs lengthen a wait: those that were turned away together must not come back together. */
const spread = 1.5;

/** Options of `withRetries`. */
export interface RetryOptions {
  /** The most calls, including the first. Default: 3. */
  readonly attempts?: number;
  /** Waits `milliseconds`, and rejects when the signal is aborted. Tests can pass a function that doesn't wait. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/**
 * Repeats a call after a retryable `ModelError` (429, 5xx, a broken connection), or if the answer isn't complete.
 *
 * ```ts
 * const model = withRetries(withTimeout(new AiSdkModel(openai("gpt-5-mini")), 60_000));
 * ```
 *
 * It waits as long as the provider asks, at most 60 s, plus a random delay of up to a half; otherwise 0.5 s, 1 s, 2 s, ..., 60 s, minus
 * a random part of up to a half. If the provider rejected many runs of one model (429, 503, 529, `Retry-After`), they retry one
 * after another, at the rate that it accepted before. Calls that other runs of the process would begin after a 429 or a
 * `Retry-After` wait for the same time.
 *
 * After the last attempt it throws the last error as it is. Once a part of an answer was streamed, the call isn't repeated, because
 * the part would appear twice. See docs/03-agents.md.
 */
export function withRetries(model: ChatModel, options: RetryOptions = {}): ChatModel {
  checkOptionNames(options, { attempts: true, sleep: true } satisfies OptionNames<RetryOptions>, "withRetries");
  return retrying(model, turnsOf(model), options);
}

/** `withRetries` for a model that is made anew for each run: `turns` are those of what the runs have in common. */
export function retrying(model: ChatModel, turns: RetryTurns, { attempts = 3, sleep = abortableSleep }: RetryOptions): ChatModel {
  const generate = async (request: ChatRequest): Promise<ChatResponse> => {
    const streamed = new StreamedRequest(request);
    const arrival = turns.arrive(longestDelay * spread, sleep, request.abortSignal);
    if (arrival !== undefined) await arrival;
    for (let attempt = 1; ; attempt += 1) {
      const begun = turns.begin();
      try {
        return refuseUnfinished(await model.generate(streamed.request), model.id);
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        const retryAfter = waitAskedBy(error);
        const delay = retryAfter ?? backoff(attempt);
        const wait = retryAfter === undefined ? delay : delay * (1 + (spread - 1) * Math.random());
        const isTurnedAway = wasTurnedAway(error);
        if (isTurnedAway) turns.turnedAway({ begun, attempt, retryAfter, wait, pause: closesProvider(error) ? delay : 0 });
        if (!error.retryable || attempt >= attempts || streamed.hasBegun) throw error;
        request.onRetry?.({ error, delay });
        if (isTurnedAway) await turns.wait(wait, longestDelay * spread, sleep, request.abortSignal);
        else await sleep(wait, request.abortSignal);
      }
    }
  };
  return wrapped(model, generate);
}

/** `undefined` for what isn't a time: models of the application make errors too. */
const waitAskedBy = ({ retryAfter = Number.NaN }: ModelError): number | undefined =>
  retryAfter >= 0 ? Math.min(retryAfter, longestDelay) : undefined;

const backoff = (attempt: number): number => Math.min(firstDelay * 2 ** (attempt - 1), longestDelay) * (1 - Math.random() / 2);

/** A provider that has too much to do, not one that is broken. */
const wasTurnedAway = ({ status, retryAfter }: ModelError): boolean =>
  retryAfter !== undefined || status === 429 || status === 503 || status === 529;

/** What another run would meet as well, if it asked now. */
const closesProvider = ({ retryable, status, retryAfter }: ModelError): boolean =>
  retryable && (status === 429 || retryAfter !== undefined);

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
