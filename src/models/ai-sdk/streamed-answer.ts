import { newCallId } from "../tool-call-assembler.js";
import type { ModelDelta } from "../chat-model.js";
import type { AiSdkContent, AiSdkEnd, AiSdkMetadata, AiSdkResult, AiSdkStreamPart } from "./language-model.js";
import { argumentsText } from "./arguments-text.js";
import { isCompaction, isProviderPart } from "./provider-calls.js";

/** A piece of content that still grows. */
interface GrowingContent extends AiSdkContent {
  text?: string;
  input?: unknown;
  providerExecuted?: boolean | undefined;
  providerMetadata?: AiSdkMetadata | undefined;
}

/** A tool call whose arguments are being written. */
interface OpenCall {
  readonly content: GrowingContent;
  readonly id: string;
  readonly name: string;
  readonly index: number;
  /** Its pieces aren't JSON, so the arguments are streamed when they are whole. */
  readonly isHeld: boolean;
  streamed: string;
}

/**
 * Joins the parts of a stream to the result that the answer would have without streaming, with ids, signatures and order, and streams its
 * text, reasoning and calls as they arrive. A call keeps the place at which it began.
 */
export class StreamedAnswer {
  readonly #content: GrowingContent[] = [];
  readonly #onDelta: (delta: ModelDelta) => void;
  /** By kind and id: a reasoning may have the id of a text. */
  readonly #openTexts = new Map<string, GrowingContent>();
  readonly #openCalls = new Map<string, OpenCall>();
  #callCount = 0;
  #end: AiSdkEnd | undefined;
  #warnings: AiSdkResult["warnings"];

  constructor(onDelta: (delta: ModelDelta) => void) {
    this.#onDelta = onDelta;
  }

  take(part: AiSdkStreamPart): void {
    const { type } = part;
    const [kind, stage] = type.split("-");
    const isText = stage === "start" || stage === "delta" || stage === "end";
    if (isText && (kind === "text" || kind === "reasoning")) this.#takeText(kind, part);
    else if (type === "tool-input-start") this.#beginInput(part);
    else if (type === "tool-input-delta") this.#takeInput(part);
    else if (isProviderPart(part) || type === "source" || type === "custom") this.#takeWhole(part);
    else if (type === "tool-call") this.#takeCall(part);
    else if (type === "finish") this.#finish(part);
    else if (type === "stream-start") this.#warnings = part.warnings;
  }

  /** The whole answer; undefined if the stream ended before the provider said that it is whole. */
  result(): AiSdkResult | undefined {
    const end = this.#end;
    if (end === undefined || saysNoReason(end)) return undefined;
    for (const call of this.#openCalls.values()) this.#cutOff(call);
    return { ...end, content: this.#content, warnings: this.#warnings };
  }

  #takeText(type: "text" | "reasoning", part: AiSdkStreamPart): void {
    const key = `${type} ${part.id}`;
    let content = part.type.endsWith("-start") ? undefined : this.#openTexts.get(key);
    if (content === undefined) {
      content = { type, text: "" };
      this.#content.push(content);
      this.#openTexts.set(key, content);
    }
    mergeMetadata(content, part.providerMetadata);
    const text = part.delta ?? "";
    if (text === "") return;
    content.text += text;
    if (!isCompaction(content)) this.#onDelta({ type, text });
  }

  #beginInput(part: AiSdkStreamPart): void {
    // A call that the provider runs itself arrives whole.
    if (part.providerExecuted !== true) this.#streamCall(this.#beginCall(part.id, part), "");
  }

  #beginCall(id: string | undefined, { toolName, inputEncoding, providerMetadata }: AiSdkStreamPart): OpenCall {
    const callId = id || newCallId();
    const name = toolName ?? "";
    const content: GrowingContent = { type: "tool-call", toolCallId: callId, toolName: name, input: "", providerMetadata };
    const call = { content, id: callId, name, index: this.#callCount, isHeld: inputEncoding === "text", streamed: "" };
    this.#callCount += 1;
    this.#content.push(content);
    this.#openCalls.set(id ?? "", call);
    return call;
  }

  #takeInput({ id = "", delta = "" }: AiSdkStreamPart): void {
    const call = this.#openCalls.get(id);
    if (call !== undefined && !call.isHeld && delta !== "") this.#streamCall(call, delta);
  }

  #takeCall(part: AiSdkStreamPart): void {
    const { toolCallId = "", input, providerMetadata } = part;
    const begun = this.#openCalls.get(toolCallId);
    const call = begun ?? this.#beginCall(toolCallId, part);
    this.#openCalls.delete(toolCallId);
    const text = argumentsText(input);
    // If the provider corrects what it streamed, the correction counts, but deltas can't be taken back.
    const rest = text.startsWith(call.streamed) ? text.slice(call.streamed.length) : "";
    if (rest !== "" || begun === undefined) this.#streamCall(call, rest);
    call.content.input = text;
    mergeMetadata(call.content, providerMetadata);
  }

  /** What the provider ran itself, its sources and its items: no deltas of it are streamed. */
  #takeWhole({ id: _id, delta: _delta, warnings: _warnings, preliminary, ...part }: AiSdkStreamPart): void {
    if (preliminary !== true) this.#content.push(part);
  }

  /** If a stream says twice how it ended, the first word for an end that isn't whole counts: its calls must not run. */
  #finish({ finishReason = "unknown", usage = {}, providerMetadata }: AiSdkStreamPart): void {
    if (this.#end === undefined || isWhole(this.#end)) this.#end = { finishReason, usage, providerMetadata };
  }

  /** The output limit was reached within the call. No text at all would read as no arguments: such a call must not run. */
  #cutOff(call: OpenCall): void {
    if (call.streamed === "") this.#streamCall(call, "{");
  }

  #streamCall(call: OpenCall, text: string): void {
    call.streamed += text;
    call.content.input = call.streamed;
    this.#onDelta({ type: "tool_call", index: call.index, id: call.id, name: call.name, arguments: text });
  }
}

const isWhole = ({ finishReason }: AiSdkEnd): boolean =>
  ["stop", "tool-calls"].includes(typeof finishReason === "string" ? finishReason : finishReason.unified);

/**
 * The provider packages end a stream without a reason if the connection closes before the answer is complete:
 * `interrupted` in v4, `other` without the provider's own word in v3, `unknown` without any count of tokens in v2.
 */
const saysNoReason = ({ finishReason, usage }: AiSdkEnd): boolean =>
  typeof finishReason === "string"
    ? finishReason === "unknown" && usage.outputTokens === undefined
    : finishReason.unified === "interrupted" || (finishReason.unified === "other" && finishReason.raw === undefined);

/** Providers add to the metadata of a part while it comes: Anthropic its signature, OpenAI the sealed reasoning. */
function mergeMetadata(content: GrowingContent, metadata: AiSdkMetadata | undefined): void {
  if (metadata === undefined) return;
  const merged: AiSdkMetadata = { ...content.providerMetadata };
  for (const [provider, added] of Object.entries(metadata)) merged[provider] = { ...(merged[provider] as object), ...(added as object) };
  content.providerMetadata = merged;
}
