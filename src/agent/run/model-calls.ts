import { shield, surround } from "../../execution/internal.js";
import type { ChatModel, ChatRequest, ChatResponse, ModelRetry } from "../../models/index.js";
import { refuseUnfinished } from "../../models/internal.js";
import { orAborted } from "../../tool/internal.js";
import { wellFormedAnswer } from "../../conversation/internal.js";
import { checkResponse } from "./check-response.js";
import { runEvent, type RunParts } from "./run-parts.js";
import type { StepDeltas } from "./step-deltas.js";

/** Asks the model once. Rejects when the request's signal is aborted. */
export const requestAnswer = (parts: RunParts, model: ChatModel, request: ChatRequest, step: number): Promise<ChatResponse> =>
  parts.listeners.length === 0 ? ask(model, request) : askWatched(parts, model, request, step);

/**
 * Makes an answer fit for the history: ids of calls are unique in the conversation, their names are wire names. `deltas`: of a stream, if
 * there is one. Throws `TypeError` for what is no response, and a retryable `ModelError` for one that isn't complete.
 */
export function readAnswer(
  { conversation, tools }: RunParts,
  model: ChatModel,
  answer: ChatResponse,
  deltas: StepDeltas | undefined,
): ChatResponse {
  checkResponse(answer, model.id);
  refuseUnfinished(answer, model.id);
  const response = wellFormedAnswer(answer);
  if (response.toolCalls.length === 0) return response;
  const claimed = deltas === undefined ? conversation.claimIds(response.toolCalls) : deltas.claim(response.toolCalls);
  const toolCalls = claimed.map((call) => {
    const name = tools.names.toWire(call.name);
    return name === call.name ? call : { ...call, name };
  });
  return { ...response, toolCalls };
}

function ask(model: ChatModel, request: ChatRequest): Promise<ChatResponse> {
  const answer = model.generate(request);
  return request.abortSignal === undefined ? answer : orAborted(answer, request.abortSignal);
}

async function askWatched(parts: RunParts, model: ChatModel, request: ChatRequest, step: number): Promise<ChatResponse> {
  const { listeners } = parts;
  const event = { ...runEvent(parts), step, model: model.id };
  const started = { ...event, request };
  for (const listener of listeners) shield(() => listener.modelStarted?.(started));
  const onRetry = (retry: ModelRetry): void => {
    for (const listener of listeners) shield(() => listener.modelRetried?.({ ...event, ...retry }));
  };
  const watched = listeners.some(({ modelRetried }) => modelRetried !== undefined) ? Object.assign({ onRetry }, request) : request;
  const arounds = listeners
    .filter(({ aroundModel }) => aroundModel !== undefined)
    .map((listener) => (run: () => void) => listener.aroundModel?.(started, run));
  const start = performance.now();
  const finished = (result: { response: ChatResponse } | { error: unknown }): void => {
    const duration = performance.now() - start;
    for (const listener of listeners) shield(() => listener.modelFinished?.({ ...event, duration, ...result }));
  };
  try {
    const response = await surround("aroundModel", arounds, () => ask(model, watched));
    const { changedPart: part } = response;
    if (part !== undefined) for (const listener of listeners) shield(() => listener.prefixChanged?.({ ...event, part }));
    finished({ response });
    return response;
  } catch (error) {
    finished({ error });
    throw error;
  }
}
