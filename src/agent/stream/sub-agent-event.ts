import type { AgentEvent } from "./agent-event.js";

/** An event of a sub-agent's run, or of one that it called, as the calling run's stream has it. */
export function subAgentEvent(step: number, callId: string, agent: string, event: AgentEvent): AgentEvent | undefined {
  if (event.type === "done") return undefined;
  const call = { callId, agent };
  if (event.type === "sub_agent") return { ...event, step, path: [call, ...event.path] };
  return { type: "sub_agent", step, path: [call], event };
}
