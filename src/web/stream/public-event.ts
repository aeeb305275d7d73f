import type { AgentEvent, SubAgentEvent } from "../../agent/index.js";
import { redact, redactText } from "../../redaction/index.js";
import { type PublicError, publicError } from "./public-error.js";
import { publicProviderCall, publicResult, publicStep } from "./public-response.js";

type RunEvent = Exclude<AgentEvent, { readonly type: "done" }>;
type ForwardedEvent = Extract<AgentEvent, { readonly type: "sub_agent" }>;
type PublicSubAgentEvent = Exclude<SubAgentEvent, { readonly type: "error" }> | ErrorEvent;

interface ErrorEvent {
  readonly type: "error";
  readonly error: PublicError;
}

/** An event of a run that goes on, as a browser gets it: plain JSON without secrets. */
export type PublicEvent = PublicSubAgentEvent | PublicForwardedEvent;

type PublicForwardedEvent = Omit<ForwardedEvent, "event"> & { readonly event: PublicSubAgentEvent };

export function publicEvent(event: RunEvent): PublicEvent {
  return event.type === "sub_agent" ? publicForwarded(event) : publicOwnEvent(event);
}

/** What happens in a sub-agent's run, as a browser gets it. */
export const publicForwarded = (forwarded: ForwardedEvent): PublicForwardedEvent => ({
  ...forwarded,
  event: publicOwnEvent(forwarded.event),
});

function publicOwnEvent(event: SubAgentEvent): PublicSubAgentEvent {
  switch (event.type) {
    case "error":
      return { type: "error", error: publicError(event.error) };
    case "aborted":
      return { type: "aborted", detail: redactText(event.detail) };
    case "tool_started":
      return { ...event, input: redact(event.input) };
    case "tool_progress":
      return event.message === undefined ? event : { ...event, message: redactText(event.message) };
    case "tool_result":
      return publicResult(event);
    case "provider_call_done":
      return publicProviderCall(event);
    case "step_done":
      return { ...event, result: publicStep(event.result) };
    default:
      return event;
  }
}
