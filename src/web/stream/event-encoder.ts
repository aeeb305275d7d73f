import type { AgentEvent } from "../../agent/index.js";

/** Writes the events of one run for the wire, as frames of server-sent events. */
export interface EventEncoder {
  /** Sent before the first event. */
  readonly opening: string;
  /** Empty if the event isn't sent. */
  encode(event: AgentEvent): string;
  /** Sent after the last event. */
  readonly closing: string;
}
