import type { RunParts } from "./run-parts.js";

/** What listeners are told of a run in every event. */
export function runEvent({ agent, scope }: RunParts): {
  readonly runId: string;
  readonly agent: string;
  readonly tags?: Readonly<Record<string, string>>;
} {
  const { runId, tags } = scope;
  return tags === undefined ? { runId, agent } : { runId, agent, tags };
}
