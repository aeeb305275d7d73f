import type { ProviderCall } from "../../models/index.js";
import type { AgentEvent } from "./agent-event.js";

/** The event of a call that the provider ran itself. `tool`: its own name. */
export const providerCallEvent = (step: number, { id, name: _, ...call }: ProviderCall, tool: string): AgentEvent => ({
  type: "provider_call_done",
  step,
  callId: id,
  tool,
  ...call,
});
