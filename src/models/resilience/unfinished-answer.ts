import type { ChatResponse, FinishReason } from "../chat-model.js";
import { ModelError } from "../model-error.js";

/** The ends of an answer without calls that leave it unfinished. */
const unfinished: Partial<Record<FinishReason, string>> = {
  error: "the provider ended its answer with an error",
  other: "the provider ended its answer for no known reason, so it may be incomplete",
  tool_calls: "the provider announced tool calls, but its answer has none",
};

/**
 * The response, if it is an answer or has calls to look at. Throws a retryable `ModelError` if it isn't: a text that may be
 * incomplete must not pass for an answer, nor may calls run whose end isn't known.
 */
export function refuseUnfinished(response: ChatResponse, modelId: string): ChatResponse {
  // An application's own model may forget to return a response: the agent reports it.
  const { finishReason, toolCalls = [] } = (response ?? {}) as Partial<ChatResponse>;
  if (finishReason === undefined || (toolCalls.length > 0 && finishReason !== "other")) return response;
  const fault = unfinished[finishReason];
  if (fault !== undefined) throw new ModelError(modelId, `${modelId}: ${fault}`, { retryable: true });
  return response;
}
