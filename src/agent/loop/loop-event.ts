import type { ChatResponse, Message, ToolCall } from "../../models/index.js";
import type { CallResult, LoopState, LoopStep } from "./loop-state.js";
import type { RunOutcome } from "./outcome.js";

/** What happened outside the loop. */
export type LoopEvent =
  /** The run begins, or goes on from a stored state: the loop asks for whatever is open. */
  | { readonly type: "started" }
  /** Ids of the calls are unique in the conversation, and their names are wire names. */
  | { readonly type: "model_answered"; readonly response: ChatResponse }
  | { readonly type: "model_failed"; readonly detail: string }
  | { readonly type: "call_finished"; readonly id: string; readonly result: CallResult }
  /** The run ends here; calls without a result get one that says why. */
  | { readonly type: "stopped"; readonly reason: "aborted" | "interrupted"; readonly detail: string };

/** What the loop asks for; to be carried out in order. */
export type LoopEffect =
  | { readonly type: "append"; readonly messages: readonly Message[] }
  | { readonly type: "call_model" }
  | { readonly type: "execute_calls"; readonly calls: readonly ToolCall[] }
  | { readonly type: "record_step"; readonly step: LoopStep }
  | { readonly type: "finish"; readonly outcome: RunOutcome };

/** The loop's answer to an event. */
export interface Advance {
  readonly state: LoopState;
  readonly effects: readonly LoopEffect[];
}
