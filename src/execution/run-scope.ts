import { randomUUID } from "node:crypto";
import type { ApplicationBag } from "../tool/index.js";
import { checkOptionNames, type OptionNames } from "../tool/internal.js";
import { AttemptLedger } from "./attempt-ledger.js";
import { checkRun } from "./check-run.js";
import { checkProfile, type ExecutionProfile } from "./execution-profile.js";

/** What all tool calls of one run share. Made once per run by `createRunScope`. */
export interface RunScope {
  readonly runId: string;
  /** The agent's name, for records. */
  readonly agent?: string;
  /** The application's bag: every member of it becomes a member of the `ToolContext`. */
  readonly toolContext?: ApplicationBag;
  /** Cancels the run: pending calls are released at once, with the caller's reason at their `abortSignal`. */
  readonly abortSignal?: AbortSignal;
  /** What the run may call, of the tools that it has. Calls that tools make inherit it. */
  readonly profile?: ExecutionProfile;
  /** What the application says of the run, for records: `{ tenant: "acme" }`. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly ledger: AttemptLedger;
}

const scopeNames: OptionNames<RunScope> = {
  runId: true,
  agent: true,
  toolContext: true,
  abortSignal: true,
  profile: true,
  tags: true,
  ledger: true,
};

/** Throws `TypeError` for a member that a scope doesn't have, and for values that none can have. */
export function createRunScope(options: Partial<RunScope> = {}): RunScope {
  checkOptionNames(options, scopeNames, "The scope of a run");
  checkRun(options);
  if (options.profile !== undefined) checkProfile(options.profile);
  return Object.assign({}, options, { runId: options.runId ?? randomUUID(), ledger: options.ledger ?? new AttemptLedger() });
}
