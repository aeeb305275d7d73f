import { randomUUID } from "node:crypto";
import { AttemptLedger } from "./attempt-ledger.js";

/** What all tool calls of one run share. Made once per run by `createRunScope`. */
export interface RunScope {
  readonly runId: string;
  /** The agent's name, for records. */
  readonly agent?: string;
  /** The application's bag: every member of it becomes a member of the `ToolContext`. */
  readonly toolContext?: Record<string, unknown>;
  /** Cancels the run: pending calls are released at once, with the caller's reason at their `abortSignal`. */
  readonly abortSignal?: AbortSignal;
  readonly ledger: AttemptLedger;
}

export const createRunScope = (options: Partial<RunScope> = {}): RunScope => ({
  ...options,
  runId: options.runId ?? randomUUID(),
  ledger: options.ledger ?? new AttemptLedger(),
});
