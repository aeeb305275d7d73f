import type { CallResult } from "../../loop/index.js";
import type { AgentEvent } from "./agent-event.js";

/** Tells of a call's result. Its members are written out: to spread them costs more than all else that an event does. */
export function toolResultEvent(step: number, callId: string, tool: string, { content, data, errorType }: CallResult): AgentEvent {
  return errorType === undefined
    ? { type: "tool_result", step, callId, tool, content, data }
    : { type: "tool_result", step, callId, tool, content, errorType };
}
