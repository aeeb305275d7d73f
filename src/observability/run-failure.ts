import type { AgentListener } from "../agent/index.js";

type RunFinished = Parameters<NonNullable<AgentListener["runFinished"]>>[0];

/** After these a run has what it wanted, or waits for somebody. */
const good: ReadonlySet<string> = new Set(["success", "awaiting_confirmation", "awaiting_answer", "interrupted"]);

/** Why a run failed: its outcome's reason, or `_OTHER` if code threw. `undefined` if it didn't fail. */
export function runFailure({ outcome }: RunFinished): string | undefined {
  if (outcome === undefined) return "_OTHER";
  return good.has(outcome.reason) ? undefined : outcome.reason;
}
