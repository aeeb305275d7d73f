import type { TokenUsage } from "../../models/index.js";
import type { Attachment, ToolErrorType } from "../../tool/index.js";
import type { Confirmation, Question } from "../../confirmation/index.js";
import { isQuestion } from "../../confirmation/internal.js";
import type { AgentResponse, AgentStep } from "../agent-response.js";
import type { CallResult } from "../../loop/index.js";

/** `step` counts model calls from 1; `callId` is the id that the call has in the history. */
interface InStep {
  /** The number of the model call, from 1. */
  readonly step: number;
}

interface OfCall extends InStep {
  /** The id of the call in the history. */
  readonly callId: string;
  /** The tool's own name; the model's text if there is no such tool. */
  readonly tool: string;
}

/** A tool call by which one agent ran another. */
export interface SubAgentCall {
  /** The id of the call in the history of the calling agent. */
  readonly callId: string;
  /** The name of the agent that was called. */
  readonly agent: string;
}

/**
 * An event of `stream`, in the order in which things happen. `type` is one of:
 *
 * - `text_delta`, `text_done`: a piece of the answer's text, and the whole text when something else follows
 * - `reasoning_delta`, `reasoning_done`: the same for reasoning
 * - `tool_call_delta`, `tool_call_done`: a piece of a call's JSON arguments, and the complete call, not validated yet
 * - `provider_call_done`: a call that the provider ran itself, with its result
 * - `tool_started`: the tool is about to run; `input` is validated, with defaults
 * - `tool_progress`: from `context.progress(fraction, message)`
 * - `tool_result`: the result as the model reads it, with `data` and its `attachments` if it succeeded and `errorType` if it failed
 * - `confirmation_required`: the call waits for a person's decision
 * - `answer_required`: the call waits for an answer
 * - `usage`: tokens of the step, and of the run so far
 * - `step_done`: every call of the step has its result
 * - `sub_agent`: an event of a sub-agent's run; `path` lists the calls that lead to it
 * - `aborted`, `error`: the run was aborted, or the model failed or code threw
 * - `done`: the last event, with the response, unless code threw
 *
 * All events except `error` and `done` are plain JSON. Texts of models and tools are unredacted: use `redact` before you show or
 * log them. See docs/03-agents.md.
 */
export type AgentEvent =
  | (InStep & { readonly type: "text_delta"; readonly delta: string })
  /** The text of the deltas before it, together: something else follows. */
  | (InStep & { readonly type: "text_done"; readonly text: string })
  | (InStep & { readonly type: "reasoning_delta"; readonly delta: string })
  | (InStep & { readonly type: "reasoning_done"; readonly text: string })
  /** A piece of the arguments' JSON text. */
  | (OfCall & { readonly type: "tool_call_delta"; readonly delta: string })
  /** The call as the model wrote it, complete, not yet checked. */
  | (OfCall & { readonly type: "tool_call_done"; readonly arguments: string })
  /** A call that the provider ran itself. `result` is in the AI SDK's form, and left out if it comes with a later answer. */
  | (OfCall & { readonly type: "provider_call_done"; readonly arguments: string; readonly result?: unknown; readonly isError?: true })
  /** The tool is about to run; `input` is validated, with defaults. */
  | (OfCall & { readonly type: "tool_started"; readonly attempt: number; readonly input: unknown })
  /** From `context.progress(fraction, message)`. */
  | (OfCall & { readonly type: "tool_progress"; readonly fraction: number; readonly message?: string })
  /** The result as the model reads it (`content`); `data` if it succeeded, `errorType` if it failed; its images and files. */
  | (OfCall & {
      readonly type: "tool_result";
      readonly content: string;
      readonly data?: unknown;
      readonly attachments?: readonly Attachment[];
      readonly errorType?: ToolErrorType;
      /** True if a replay took the result from the record of another run: the tool didn't run. */
      readonly fromRecord?: true;
    })
  /** The call doesn't run until a person decides. */
  | (InStep & { readonly type: "confirmation_required"; readonly confirmation: Confirmation })
  /** The call waits until somebody answers it. */
  | (InStep & { readonly type: "answer_required"; readonly question: Question })
  /** Tokens of the step, and of the run so far. */
  | (InStep & { readonly type: "usage"; readonly usage: TokenUsage; readonly total: TokenUsage })
  /** The model answered and every call of the step has its result. */
  | (InStep & { readonly type: "step_done"; readonly result: AgentStep })
  /** What happens in the run of a sub-agent. `path`: the calls that lead to it, that of this run first. `step` is of this run. */
  | (InStep & { readonly type: "sub_agent"; readonly path: readonly SubAgentCall[]; readonly event: SubAgentEvent })
  /** The signal's reason if it is a string. The message of an error is in the response only. */
  | { readonly type: "aborted"; readonly detail: string }
  /** The model failed for good, or code threw: `response` rejects with whatever isn't a `ModelError`. */
  | { readonly type: "error"; readonly error: unknown }
  /** The last event, however the run ended, unless code threw. */
  | { readonly type: "done"; readonly response: AgentResponse };

/** An event of a sub-agent's run, as the sub-agent's own stream would emit it. */
export type SubAgentEvent = Exclude<AgentEvent, { readonly type: "sub_agent" | "done" }>;

/** The event of a call that waits. */
export const waitingEvent = (step: number, waiting: Confirmation): AgentEvent =>
  isQuestion(waiting)
    ? { type: "answer_required", step, question: waiting }
    : { type: "confirmation_required", step, confirmation: waiting };

/** The event of a call's result. Its members are listed one by one, because a spread costs more than the rest of an event. */
export function toolResultEvent(step: number, callId: string, tool: string, result: CallResult): AgentEvent {
  if (result.fromRecord === true) return { type: "tool_result", step, callId, tool, ...result };
  const { content, data, attachments, errorType } = result;
  if (errorType !== undefined) return { type: "tool_result", step, callId, tool, content, errorType };
  return attachments === undefined
    ? { type: "tool_result", step, callId, tool, content, data }
    : { type: "tool_result", step, callId, tool, content, data, attachments };
}

/** An event of a sub-agent's run, or of one that it called, as the calling run's stream has it. */
export function subAgentEvent(step: number, callId: string, agent: string, event: AgentEvent): AgentEvent | undefined {
  if (event.type === "done") return undefined;
  const call = { callId, agent };
  if (event.type === "sub_agent") return { ...event, step, path: [call, ...event.path] };
  return { type: "sub_agent", step, path: [call], event };
}
