import type { ChatResponse, Message, TokenUsage, ToolCall } from "../models/index.js";
import type { Decision } from "../confirmation/index.js";
import type { Gate } from "./gate.js";
import type { CallResult, LoopState, LoopStep } from "./loop-state.js";
import type { RunOutcome } from "./run-outcome.js";

/** What happened outside the loop. */
export type LoopEvent =
  /** The run begins, or goes on from a stored state: the loop asks for whatever is open. */
  | { readonly type: "started" }
  /**
   * Ids of the calls are unique in the conversation, and their names are wire names. `faults`: what is wrong with the structured output, if
   * the answer had to be one. `allowedTools`: as `LoopStep` has them.
   */
  | {
      readonly type: "model_answered";
      readonly response: ChatResponse;
      readonly faults?: OutputFaults;
      readonly allowedTools?: readonly string[];
    }
  /** `text`: what a stream has sent of the answer before the model failed. */
  | { readonly type: "model_failed"; readonly detail: string; readonly text?: string }
  /** A guardrail refused the answer: it doesn't join the history. */
  | { readonly type: "answer_blocked"; readonly response: ChatResponse; readonly outcome: RunOutcome }
  /** `usage`: tokens that the call used, if it ran a sub-agent. */
  | { readonly type: "call_finished"; readonly id: string; readonly result: CallResult; readonly usage?: TokenUsage }
  /** The call needs a decision; it may have been given at once. */
  | { readonly type: "call_gated"; readonly id: string; readonly gate: Gate }
  /** Somebody decided a call that waited. */
  | { readonly type: "call_decided"; readonly decision: Decision }
  /** All that could be done with the open calls of the step was done. */
  | { readonly type: "calls_settled" }
  /** The run stops at once, and keeps its open calls. */
  | { readonly type: "paused"; readonly outcome: RunOutcome }
  /** The run ends here; calls without a result get `missing`. `text`: what a stream has sent of an answer that isn't complete. */
  | { readonly type: "stopped"; readonly outcome: RunOutcome; readonly missing?: CallResult; readonly text?: string };

/** Why an answer doesn't fit the output's schema, and the prompt that asks the model to correct it. */
export interface OutputFaults {
  readonly detail: string;
  readonly repairPrompt: string;
}

/** What the loop asks for; to be carried out in order. */
export type LoopEffect =
  | { readonly type: "append"; readonly messages: readonly Message[] }
  | { readonly type: "call_model" }
  /** `decided`: a person approved them; the others are checked, and asked for if they need a decision. */
  | { readonly type: "execute_calls"; readonly calls: readonly ToolCall[]; readonly decided: boolean }
  | { readonly type: "record_step"; readonly step: LoopStep }
  | { readonly type: "finish"; readonly outcome: RunOutcome };

/** The loop's answer to an event. */
export interface Advance {
  readonly state: LoopState;
  readonly effects: readonly LoopEffect[];
}
