import { createHash } from "node:crypto";
import type { ChatRequest, ChatResponse, ContentPart, Message, ModelTool, ToolCall } from "../../models/index.js";
import { redact, redactText } from "../../redaction/index.js";

/** A request as it is recorded and compared: plain JSON, without secrets, whatever the provider's call ids were. */
export interface RecordedRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ModelTool[];
  /** `options`, `toolChoice`, `responseFormat`: what else a request says. */
  readonly [setting: string]: unknown;
}

/** A response as it is recorded. What only its provider reads (`providerMetadata`) is left out. */
export interface RecordedResponse extends Pick<ChatResponse, "text" | "reasoning" | "finishReason" | "usage"> {
  readonly toolCalls: readonly Pick<ToolCall, "id" | "name" | "arguments">[];
}

export interface RecordedExchange {
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
}

export function recordedRequest({ messages, tools, abortSignal: _signal, ...settings }: ChatRequest): RecordedRequest {
  const ids = callIdsOf(messages);
  const request = {
    messages: redact(messages.map((message) => withoutData(withStableIds(message, ids)))),
    // A schema's property may well be named `password`: it is no secret, so only texts are looked at.
    tools: redactTexts(tools),
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, name === "options" ? redact(value) : redactTexts(value)])),
  };
  // Only what JSON holds can be compared with a file: no function (somebody listens), no `undefined`.
  return JSON.parse(JSON.stringify(request)) as RecordedRequest;
}

/** Ids go on from those in the request's messages. */
export function recordedResponse(response: ChatResponse, { messages }: ChatRequest): RecordedResponse {
  const { text, reasoning, toolCalls, finishReason, usage } = response;
  const { size } = callIdsOf(messages);
  const recorded: RecordedResponse = {
    ...(reasoning !== undefined && { reasoning }),
    text,
    toolCalls: toolCalls.map((call, index) => ({ id: callId(size + index), name: call.name, arguments: call.arguments })),
    finishReason,
    usage,
  };
  return redact(recorded) as RecordedResponse;
}

const callId = (index: number): string => `call_${index + 1}`;

/** Providers make ids up: here they count the calls of the conversation. */
function callIdsOf(messages: readonly Message[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const { id } of message.toolCalls ?? []) if (!ids.has(id)) ids.set(id, callId(ids.size));
  }
  return ids;
}

function withStableIds(message: Message, ids: ReadonlyMap<string, string>): Message {
  const stable = (id: string): string => ids.get(id) ?? id;
  if (message.role === "tool") return { ...message, toolCallId: stable(message.toolCallId) };
  if (message.role !== "assistant") return message;
  const { providerMetadata: _metadata, toolCalls, ...rest } = message;
  if (toolCalls === undefined) return rest;
  return { ...rest, toolCalls: toolCalls.map((call) => ({ id: stable(call.id), name: call.name, arguments: call.arguments })) };
}

/** Images and files are compared by their hash: a recording with their bytes would be unreadable. */
function withoutData(message: Message): Message {
  if (message.role === "tool" && message.attachments !== undefined) return { ...message, attachments: message.attachments.map(hashData) };
  if (message.role !== "user" || typeof message.content === "string") return message;
  return { ...message, content: message.content.map(hashData) };
}

const hashData = <Part extends ContentPart>(part: Part): Part =>
  "data" in part && part.data !== undefined ? { ...part, data: `sha256 ${createHash("sha256").update(part.data).digest("hex")}` } : part;

/** As `redact`, but whatever the members are called. */
function redactTexts(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(redactTexts);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, redactTexts(member)]));
}
