import type { ToolCallEvent } from "../tool/index.js";
import type { CallOrigin } from "./prepared-call.js";
import type { RunScope } from "./run-scope.js";

/** What listeners are told of a call in every event. */
export function callEvent(callId: string, tool: string, { runId, agent, tags }: RunScope, { parent }: CallOrigin): ToolCallEvent {
  return {
    runId,
    callId,
    tool,
    ...(agent !== undefined && { agent }),
    ...(tags !== undefined && { tags }),
    ...(parent !== undefined && { parentCallId: parent.call.id }),
  };
}
