import type { ServerResponse } from "node:http";
import type { AgentEvent, AgentResponse, AgentStep, AgentStream } from "../../agent/index.js";
import type { Decision } from "../../confirmation/index.js";
import { redact, redactText } from "../../redaction/index.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";
import { sendResponse } from "../node/send-response.js";
import { type EventBodyOptions, eventHeaders, streamBody } from "../stream/event-body.js";
import type { EventEncoder } from "../stream/event-encoder.js";
import { publicForwarded } from "../stream/public-event.js";
import { publicError } from "../stream/public-error.js";
import { publicJson } from "../stream/public-json.js";
import { publicProviderCall, publicResponse, publicResult, publicStep } from "../stream/public-response.js";
import { ToolParts } from "./tool-parts.js";
import type { UiMessageChunk } from "./ui-message-chunk.js";

/** Options of `toUiMessageStream` and `sendUiMessageStream`. See docs/14-web-applications.md. */
export interface UiMessageStreamOptions extends EventBodyOptions {
  /** The decisions that a resumed run was given, so that the message shows which calls were denied. */
  readonly decisions?: readonly Decision[];
}

/** The events of a run as parts of one UI message; a resumed run goes on with the message that it began. */
export class UiMessageEncoder implements EventEncoder {
  readonly opening = frame({ type: "start" });
  readonly closing = "data: [DONE]\n\n";
  readonly #tools: ToolParts;
  #text: { readonly kind: "text" | "reasoning"; readonly id: string } | undefined;
  #texts = 0;
  #sources = 0;
  #inStep = false;
  #aborted = false;

  constructor({ decisions = [] }: UiMessageStreamOptions) {
    this.#tools = new ToolParts(decisions);
  }

  encode(event: AgentEvent): string {
    return [...this.#chunks(event)].map(frame).join("");
  }

  *#chunks(event: AgentEvent): Generator<UiMessageChunk> {
    switch (event.type) {
      case "text_delta":
        return yield* this.#write("text", event.delta);
      case "reasoning_delta":
        return yield* this.#write("reasoning", event.delta);
      case "text_done":
      case "reasoning_done":
        return yield* this.#endText();
      case "tool_call_delta":
        yield* this.#beginStep();
        return yield* this.#tools.writing(event);
      case "tool_call_done":
        yield* this.#beginStep();
        return yield* this.#tools.written(event);
      case "tool_started":
        return yield* this.#tools.started({ ...event, input: redact(event.input) });
      case "tool_progress": {
        const { callId, tool, fraction, message } = event;
        return yield {
          type: "data-tool-progress",
          id: callId,
          data: { toolCallId: callId, toolName: tool, fraction, ...(message !== undefined && { message: redactText(message) }) },
          transient: true,
        };
      }
      case "sub_agent": {
        const { path, event: inner } = publicForwarded(event);
        return yield { type: "data-sub-agent", data: { path, event: inner }, transient: true };
      }
      case "tool_result":
        return yield* this.#tools.finished(event.callId, event.tool, publicResult(event));
      case "provider_call_done":
        yield* this.#beginStep();
        return yield* this.#tools.ranByProvider(publicProviderCall(event));
      case "confirmation_required":
        return yield* this.#tools.asked(event.confirmation);
      case "answer_required":
        return yield* this.#tools.questioned(event.question);
      case "step_done":
        yield* this.#tools.settled(publicStep(event.result));
        yield* this.#cited(event.result.sources);
        return yield* this.#endStep();
      case "aborted":
        yield* this.#endStep();
        this.#aborted = true;
        return yield { type: "abort", reason: redactText(event.detail) };
      case "error":
        yield* this.#endText();
        return yield { type: "error", errorText: publicError(event.error).message };
      case "done":
        yield* this.#endStep();
        if (!this.#aborted) yield finishOf(event.response);
    }
  }

  *#write(kind: "text" | "reasoning", delta: string): Generator<UiMessageChunk> {
    yield* this.#beginStep();
    if (this.#text === undefined) {
      this.#text = { kind, id: `${kind}-${(this.#texts += 1)}` };
      yield { type: `${kind}-start`, id: this.#text.id };
    }
    yield { type: `${kind}-delta`, id: this.#text.id, delta };
  }

  *#endText(): Generator<UiMessageChunk> {
    if (this.#text === undefined) return;
    const { kind, id } = this.#text;
    this.#text = undefined;
    yield { type: `${kind}-end`, id };
  }

  *#beginStep(): Generator<UiMessageChunk> {
    if (this.#inStep) return;
    this.#inStep = true;
    yield { type: "start-step" };
  }

  *#cited(sources: AgentStep["sources"] = []): Generator<UiMessageChunk> {
    if (sources.length > 0) yield* this.#beginStep();
    for (const source of sources) yield { type: "source-url", sourceId: `source-${(this.#sources += 1)}`, ...source };
  }

  *#endStep(): Generator<UiMessageChunk> {
    yield* this.#endText();
    if (!this.#inStep) return;
    this.#inStep = false;
    yield { type: "finish-step" };
  }
}

const frame = (chunk: UiMessageChunk): string => `data: ${publicJson(chunk)}\n\n`;

const finishReasons = {
  success: "stop",
  awaiting_confirmation: "tool-calls",
  awaiting_answer: "tool-calls",
  truncated: "length",
  content_filter: "content-filter",
  guardrail_blocked: "content-filter",
  model_error: "error",
} as const;

/** How the run ended is in the message's metadata, for the page to show. */
function finishOf(response: AgentResponse): UiMessageChunk {
  const { runId, outcome, usage } = publicResponse(response, false);
  const reasons: Partial<Record<typeof outcome.reason, (typeof finishReasons)[keyof typeof finishReasons]>> = finishReasons;
  return { type: "finish", finishReason: reasons[outcome.reason] ?? "other", messageMetadata: { runId, outcome, usage } };
}

/** The version of the protocol, for clients that ask. */
export const uiMessageHeaders: Readonly<Record<string, string>> = { ...eventHeaders, "x-vercel-ai-ui-message-stream": "v1" };

/**
 * Converts a run to a response with the AI SDK's UI message stream, which `useChat` reads.
 *
 * ```ts
 * export async function POST(request: Request) {
 *   const body = await request.json();
 *   return toUiMessageStream(streamChat(new WeatherAgent(), body, { abortSignal: request.signal }));
 * }
 * ```
 *
 * If the client stops or disconnects, the run is aborted. See docs/14-web-applications.md.
 */
export function toUiMessageStream(stream: AgentStream, options: UiMessageStreamOptions = {}): Response {
  checkOptionNames(options, optionNames, "A UI message stream");
  return new Response(streamBody(stream, new UiMessageEncoder(options), options), { headers: uiMessageHeaders });
}

const optionNames: OptionNames<UiMessageStreamOptions> = { decisions: true, heartbeat: true, onError: true };

/**
 * Like `toUiMessageStream`, for the response of `node:http`, Express, Nest, or Fastify's `reply.raw`. Resolves when the response
 * has ended.
 *
 * See docs/14-web-applications.md.
 */
export const sendUiMessageStream = (stream: AgentStream, response: ServerResponse, options: UiMessageStreamOptions = {}): Promise<void> =>
  sendResponse(toUiMessageStream(stream, options), response);
