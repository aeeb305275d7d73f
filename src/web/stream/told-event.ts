import type { AgentEvent, SubAgentEvent } from "../../agent/index.js";
import { redact, redactText } from "../../redaction/index.js";
import { type ToldError, toldError } from "./told-error.js";
import { toldResult, toldStep } from "./told-response.js";

type RunEvent = Exclude<AgentEvent, { readonly type: "done" }>;
type ForwardedEvent = Extract<AgentEvent, { readonly type: "sub_agent" }>;
type ToldSubAgentEvent = Exclude<SubAgentEvent, { readonly type: "error" }> | ErrorEvent;

interface ErrorEvent {
  readonly type: "error";
  readonly error: ToldError;
}

/** An event of a run that goes on, as a browser gets it: plain JSON without secrets. */
export type ToldEvent = ToldSubAgentEvent | ToldForwardedEvent;

type ToldForwardedEvent = Omit<ForwardedEvent, "event"> & { readonly event: ToldSubAgentEvent };

export function toldEvent(event: RunEvent): ToldEvent {
  return event.type === "sub_agent" ? toldForwarded(event) : toldOwnEvent(event);
}

/** What happens in a sub-agent's run, as a browser gets it. */
export const toldForwarded = (forwarded: ForwardedEvent): ToldForwardedEvent => ({ ...forwarded, event: toldOwnEvent(forwarded.event) });

function toldOwnEvent(event: SubAgentEvent): ToldSubAgentEvent {
  switch (event.type) {
    case "error":
      return { type: "error", error: toldError(event.error) };
    case "aborted":
      return { type: "aborted", detail: redactText(event.detail) };
    case "tool_started":
      return { ...event, input: redact(event.input) };
    case "tool_progress":
      return event.message === undefined ? event : { ...event, message: redactText(event.message) };
    case "tool_result":
      return toldResult(event);
    case "step_done":
      return { ...event, result: toldStep(event.result) };
    default:
      return event;
  }
}
