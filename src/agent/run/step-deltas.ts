import type { ChatResponse, ModelDelta, ToolCall } from "../../models/index.js";
import type { AgentEvent } from "../stream/agent-event.js";
import { providerCallEvent } from "../stream/provider-call-event.js";
import { WholeCharacters } from "../../conversation/internal.js";
import type { RunParts } from "./run-parts.js";

interface StreamedCall {
  readonly callId: string;
  readonly tool: string;
  readonly characters: WholeCharacters;
}

/** Streams one step of a model as it arrives, and at its end what wasn't streamed yet. */
export class StepDeltas {
  readonly #parts: RunParts;
  readonly #emit: (event: AgentEvent) => void;
  readonly #step: number;
  /** The calls by their position. Their ids, which the history uses too, are claimed at the first piece. */
  readonly #claimed: StreamedCall[] = [];
  readonly #sent = { text: "", reasoning: "" };
  #ended = false;
  /** The part that is being streamed. */
  #open: { readonly kind: "text" | "reasoning"; readonly characters: WholeCharacters; text: string } | undefined;

  constructor(parts: RunParts, emit: (event: AgentEvent) => void, step: number) {
    this.#parts = parts;
    this.#emit = emit;
    this.#step = step;
  }

  /** The text that was sent so far. */
  get text(): string {
    return this.#sent.text;
  }

  /** Ends the step: a model that was given up may go on with its answer. */
  end(): void {
    this.#ended = true;
  }

  readonly onDelta = (delta: ModelDelta): void => {
    if (this.#ended) return;
    if (delta.type === "tool_call") this.#sendCall(delta);
    else if (delta.text !== "") this.#send(delta.type, delta.text);
  };

  /** The calls with ids that are unique in the conversation: the ids that were streamed. */
  claim(calls: readonly ToolCall[]): readonly ToolCall[] {
    return calls.map((call, index) => {
      const { callId } = this.#claimed[index] ?? this.#claim(index, call);
      return callId === call.id ? call : { ...call, id: callId };
    });
  }

  /** Streams the rest of the answer, as it goes into the history. */
  finish({ reasoning = "", text, toolCalls, providerCalls = [] }: ChatResponse): void {
    if (this.#sent.reasoning === "" && reasoning !== "") this.#send("reasoning", reasoning);
    if (this.#sent.text === "" && text !== "") this.#send("text", text);
    this.#close();
    for (const call of providerCalls) this.#emit(providerCallEvent(this.#step, call, this.#toolName(call.name)));
    for (const { id, name, arguments: written } of toolCalls) {
      this.#emit({ type: "tool_call_done", step: this.#step, callId: id, tool: this.#toolName(name), arguments: written });
    }
  }

  #send(kind: "text" | "reasoning", delta: string): void {
    if (this.#open?.kind !== kind) this.#close();
    this.#open ??= { kind, characters: new WholeCharacters(), text: "" };
    this.#emitText(this.#open, this.#open.characters.take(delta));
  }

  #emitText(open: { readonly kind: "text" | "reasoning"; text: string }, delta: string): void {
    if (delta === "") return;
    open.text += delta;
    this.#sent[open.kind] += delta;
    this.#emit({ type: open.kind === "text" ? "text_delta" : "reasoning_delta", step: this.#step, delta });
  }

  #close(): void {
    const part = this.#open;
    if (part === undefined) return;
    this.#open = undefined;
    this.#emitText(part, part.characters.rest());
    this.#emit({ type: `${part.kind}_done`, step: this.#step, text: part.text });
  }

  #sendCall(delta: Extract<ModelDelta, { readonly type: "tool_call" }>): void {
    const { index, id, name, arguments: piece } = delta;
    this.#close();
    const { callId, tool, characters } = this.#claimed[index] ?? this.#claim(index, { id, name, arguments: "" });
    this.#emit({ type: "tool_call_delta", step: this.#step, callId, tool, delta: characters.take(piece) });
  }

  #claim(index: number, call: ToolCall): StreamedCall {
    const [{ id: callId } = call] = this.#parts.conversation.claimIds([call]);
    const claimed = { callId, tool: this.#toolName(call.name), characters: new WholeCharacters() };
    this.#claimed[index] = claimed;
    return claimed;
  }

  #toolName(name: string): string {
    return this.#parts.tools.names.toTool(name);
  }
}
