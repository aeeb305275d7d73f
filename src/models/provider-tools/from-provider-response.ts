import type { ProviderDialect } from "../../schema/internal.js";
import type { FinishReason } from "../chat-model.js";
import { cutOffText, isCutOff, unknownEndText, withheldText } from "../calls-not-run.js";
import { finishReasonOf } from "../finish-reason.js";
import { checkDialect, checkTools } from "./check-provider-tools.js";
import { type Fields, fieldsOf } from "../fields.js";
import { fromProviderCall, type ReadCall } from "./from-provider-call.js";
import type { ProvidableTool } from "./wire-tool.js";

/** The tool calls of a provider's response. Each of them, run or not, needs one result in the next request. */
export interface ReadResponse {
  /** Why the answer ended. */
  readonly finishReason: FinishReason;
  /** The calls to run, in order. */
  readonly calls: readonly ReadCall[];
  /** The calls that must not run. Send `content` as their result. */
  readonly refused: readonly RefusedCall[];
}

/** A call that must not run because its answer was withheld, cut, or ended for an unknown reason. */
export interface RefusedCall extends ReadCall {
  /** The result to send to the model: what happened, and what to send instead. */
  readonly content: string;
}

/**
 * Reads the tool calls of a provider's whole response, as its API or SDK returns it.
 *
 * ```ts
 * const { calls, refused } = fromProviderResponse(response, [WeatherTool], "openai-chat");
 * for (const call of calls) send(call.id, modelText(await executor.call(call, scope)));
 * for (const { id, content } of refused) send(id, content);
 * ```
 *
 * If the provider withheld or rejected the answer (`content_filter`, `refusal`, `SAFETY`, `MALFORMED_FUNCTION_CALL`, ...), or it
 * ended for an unknown reason, no call may run. If the token limit cut it, the last call may not.
 *
 * For a stream, pass the response that its events add up to. Throws `TypeError` if the response doesn't say how it ended, or a call
 * has no name. See docs/11-providers.md.
 */
export function fromProviderResponse(response: object, tools: readonly ProvidableTool[], dialect: ProviderDialect): ReadResponse {
  checkTools(tools, "fromProviderResponse");
  checkDialect(dialect, "fromProviderResponse");
  const { word, calls: found } = readers[dialect](fieldsOf(response));
  if (typeof word !== "string" || word === "") {
    throw new TypeError(
      `fromProviderResponse: this response of ${dialect} doesn't say how it ended: ${String(JSON.stringify(response)).slice(0, 200)}. Pass the whole response; read a stream to its end first.`,
    );
  }
  const finishReason = finishReasonOf(word);
  const calls: ReadCall[] = [];
  const refused: RefusedCall[] = [];
  found.forEach((one, index) => {
    const call = fromProviderCall(one, tools, dialect);
    const content = refusalOf(finishReason, call, index === found.length - 1);
    if (content === undefined) calls.push(call);
    else refused.push({ ...call, content });
  });
  return { finishReason, calls, refused };
}

function refusalOf(finishReason: FinishReason, { arguments: input }: ReadCall, isLast: boolean): string | undefined {
  if (finishReason === "content_filter" || finishReason === "error") return withheldText;
  if (finishReason === "other") return unknownEndText;
  if (finishReason !== "length") return undefined;
  return isCutOff(typeof input === "string" ? input : "{}", isLast) ? cutOffText : undefined;
}

interface ResponseParts {
  /** The provider's own word for the end of the answer. */
  readonly word: unknown;
  readonly calls: readonly object[];
}

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);

function chatCompletion({ choices }: Fields): ResponseParts {
  const [choice = {}] = listOf(choices);
  const message = fieldsOf(choice.message);
  return {
    // Mistral's SDK writes names in camel case.
    word: typeof message.refusal === "string" && message.refusal !== "" ? "refusal" : (choice.finish_reason ?? choice.finishReason),
    calls: listOf(message.tool_calls ?? message.toolCalls),
  };
}

const readers: { readonly [Dialect in ProviderDialect]: (response: Fields) => ResponseParts } = {
  "openai-chat": chatCompletion,
  "openai-responses": ({ status, incomplete_details: details, output }) => {
    const items = listOf(output);
    const isRefused = items.some(({ content }) => listOf(content).some(({ type }) => type === "refusal"));
    return {
      word: isRefused ? "refusal" : status === "in_progress" || status === "queued" ? undefined : (fieldsOf(details).reason ?? status),
      calls: items.filter(({ type }) => type === "function_call"),
    };
  },
  anthropic: ({ stop_reason: word, content }) => ({ word, calls: listOf(content).filter(({ type }) => type === "tool_use") }),
  gemini: ({ candidates, promptFeedback }) => {
    const [candidate = {}] = listOf(candidates);
    const { parts } = fieldsOf(candidate.content);
    return {
      word: fieldsOf(promptFeedback).blockReason === undefined ? candidate.finishReason : "blocked",
      calls: listOf(parts).filter(({ functionCall }) => functionCall !== undefined),
    };
  },
  bedrock: ({ stopReason: word, output }) => ({
    word,
    calls: listOf(fieldsOf(fieldsOf(output).message).content).filter(({ toolUse }) => toolUse !== undefined),
  }),
  mistral: chatCompletion,
  ollama: ({ done, done_reason: word, message }) => ({
    // Older servers give no reason.
    word: done === true ? (word ?? "stop") : undefined,
    calls: listOf(fieldsOf(message).tool_calls),
  }),
};
