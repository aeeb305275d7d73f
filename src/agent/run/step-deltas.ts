import type { ChatResponse, ModelDelta, ToolCall } from "../../models/index.js";
import type { AgentEvent } from "../stream/agent-event.js";
import type { RunParts } from "./run-parts.js";

/** Tells a stream what a model says in one step, while it says it; at the end, whatever wasn't told piece by piece. */
export class StepDeltas {
  readonly #parts: RunParts;
  readonly #emit: (event: AgentEvent) => void;
  readonly #step: number;
  /** The ids that calls have in the history, by their position: claimed when a call is first heard of. */
  readonly #claimed = new Map<number, string>();
  readonly #told = { text: false, reasoning: false };
  /** Where a guardrail looks at the answer, nothing of it is told before that. */
  readonly #held: boolean;

  constructor(parts: RunParts, emit: (event: AgentEvent) => void, step: number, held: boolean) {
    this.#parts = parts;
    this.#emit = emit;
    this.#step = step;
    this.#held = held;
  }

  readonly onDelta = (delta: ModelDelta): void => {
    if (delta.type === "tool_call") this.#tellCall(delta);
    else if (!this.#held && delta.text !== "") {
      this.#told[delta.type] = true;
      this.#emit({ type: `${delta.type}_delta`, step: this.#step, delta: delta.text });
    }
  };

  /** The calls with ids that are unique in the conversation: those that were told already. */
  claim(calls: readonly ToolCall[]): readonly ToolCall[] {
    return calls.map((call, index) => {
      const id = this.#claimed.get(index) ?? this.#claimId(index, call);
      return id === call.id ? call : { ...call, id };
    });
  }

  /** Tells what the answer was, as it goes into the history. */
  finish({ reasoning = "", text, toolCalls }: ChatResponse): void {
    this.#tellWhole("reasoning", reasoning);
    this.#tellWhole("text", text);
    for (const { id, name, arguments: written } of toolCalls) {
      this.#emit({ type: "tool_call_done", step: this.#step, callId: id, tool: this.#toolName(name), arguments: written });
    }
  }

  #tellWhole(kind: "text" | "reasoning", whole: string): void {
    if (whole === "") return;
    const step = this.#step;
    if (!this.#told[kind]) this.#emit({ type: `${kind}_delta`, step, delta: whole });
    this.#emit({ type: `${kind}_done`, step, text: whole });
  }

  #tellCall(delta: Extract<ModelDelta, { readonly type: "tool_call" }>): void {
    const { index, id, name, arguments: piece } = delta;
    const callId = this.#claimed.get(index) ?? this.#claimId(index, { id, name, arguments: "" });
    this.#emit({ type: "tool_call_delta", step: this.#step, callId, tool: this.#toolName(name), delta: piece });
  }

  #claimId(index: number, call: ToolCall): string {
    const [claimed = call] = this.#parts.conversation.claimIds([call]);
    this.#claimed.set(index, claimed.id);
    return claimed.id;
  }

  #toolName(name: string): string {
    return this.#parts.tools.names.toTool(name);
  }
}
