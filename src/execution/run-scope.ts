import { randomUUID } from "node:crypto";
import type { ApplicationBag } from "../tool/index.js";
import { checkOptionNames, type OptionNames } from "../tool/internal.js";
import { AttemptLedger } from "./attempt-ledger.js";
import { checkRun } from "./check-run.js";
import { checkProfile, type ExecutionProfile } from "./execution-profile.js";

/** What all tool calls of one run share. Make it with `createRunScope`. */
export interface RunScope {
  /** The id of the run. */
  readonly runId: string;
  /** The agent's name, for records. */
  readonly agent?: string;
  /** The application's context: each of its members becomes a member of the `ToolContext`. */
  readonly toolContext?: ApplicationBag;
  /** Cancels the run. Pending calls end at once; the tools' own `abortSignal` has the same reason. */
  readonly abortSignal?: AbortSignal;
  /** Restricts which tools the run may call. Calls that tools make inherit it. */
  readonly profile?: ExecutionProfile;
  /** Labels of the run, for records: `{ tenant: "acme" }`. */
  readonly tags?: Readonly<Record<string, string>>;
  /** The failed attempts of the run. */
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

/**
 * Makes the scope of one run, for `ToolExecutor`: `createRunScope({ toolContext: { userId: "42" } })`.
 *
 * Members that are left out get defaults; `runId` is a new UUID. Throws `TypeError` for unknown members and invalid values. See
 * docs/02-tools.md.
 */
export function createRunScope(options: Partial<RunScope> = {}): RunScope {
  checkOptionNames(options, scopeNames, "The scope of a run");
  checkRun(options);
  if (options.profile !== undefined) checkProfile(options.profile);
  return Object.assign({}, options, { runId: options.runId ?? randomUUID(), ledger: options.ledger ?? new AttemptLedger() });
}
