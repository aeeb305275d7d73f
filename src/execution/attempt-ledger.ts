import { sha256 } from "../platform/index.js";
import type { ToolDefinition } from "../tool/index.js";
import { canonicalJson } from "./canonical-json.js";
import { type PreparedCall, settledOf } from "./preparation/prepared-call.js";

/** Attempts in total, the first one included. */
const attemptLimit = 3;

/** The content of an `AttemptLedger` as JSON, by tool name: failures since the last success, and arguments that are refused. */
export interface AttemptLedgerState {
  readonly [tool: string]: { readonly failures: number; readonly refused?: readonly string[] };
}

interface Entry {
  failures: number;
  /** Hashes, because arguments may hold secrets and the ledger is stored with the run. */
  readonly refused: Set<string>;
}

/**
 * Counts the failed attempts of each tool in one run. After three, calls of the tool fail with `retries_exhausted`.
 *
 * Only attempts whose tool code started count; a success resets the count. The ledger also refuses to repeat arguments that may
 * have taken effect:
 *
 * - after a failure, if the tool isn't retryable
 * - after a timeout or cancellation, if the tool is a write or delete without `@effect("none")` or `@effect("idempotent")`
 *
 * See docs/02-tools.md.
 */
export class AttemptLedger {
  readonly #entries = new Map<string, Entry>();

  /** Restores a ledger from `toJSON()`. */
  static fromJSON(state: AttemptLedgerState): AttemptLedger {
    const ledger = new AttemptLedger();
    for (const [tool, { failures, refused }] of Object.entries(state)) ledger.#entries.set(tool, { failures, refused: new Set(refused) });
    return ledger;
  }

  /** The ledger as JSON. */
  toJSON(): AttemptLedgerState {
    const states = [...this.#entries].map(([tool, { failures, refused }]) => [
      tool,
      refused.size === 0 ? { failures } : { failures, refused: [...refused] },
    ]);
    return Object.fromEntries(states) as AttemptLedgerState;
  }

  /** The number of the tool's next attempt, from 1. */
  nextAttempt(tool: string): number {
    return (this.#entries.get(tool)?.failures ?? 0) + 1;
  }

  /** Why the call may not run; `undefined` if it may. */
  refusal(call: PreparedCall): string | undefined {
    const { name } = call;
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    if (entry.failures >= attemptLimit) {
      return `Tool '${name}' failed ${entry.failures} times in this run and can't be called again. Go on without it, or tell the user what failed.`;
    }
    if (entry.refused.size > 0 && entry.refused.has(fingerprint(canonicalJson(settledOf(call).input)))) {
      return `Tool '${name}' was already called with exactly these arguments, and may have taken effect. This call isn't repeated in this run. Check with a read-only tool whether it took effect, use other arguments, or tell the user.`;
    }
    return undefined;
  }

  /**
   * The canonical text of the call's arguments, if the tool may have to refuse them later. Call it before the tool runs, because
   * the tool may change them.
   */
  remember(call: PreparedCall): string | undefined {
    return mayRepeatUnknown(call.definition) ? undefined : canonicalJson(settledOf(call).input);
  }

  /** Records that the tool failed. A tool that isn't retryable refuses the same arguments from now on. */
  recordFailure({ name, retryable }: Pick<ToolDefinition, "name" | "retryable">, remembered: string | undefined): void {
    const entry = this.#entryOf(name);
    entry.failures += 1;
    if (remembered !== undefined && !retryable) entry.refused.add(fingerprint(remembered));
  }

  /** Records that the call was stopped before the tool ended. `counts`: whether it is one of the tool's attempts. */
  recordUnknown({ name }: Pick<ToolDefinition, "name">, remembered: string | undefined, counts: boolean): void {
    if (!counts && remembered === undefined) return;
    const entry = this.#entryOf(name);
    if (counts) entry.failures += 1;
    if (remembered !== undefined) entry.refused.add(fingerprint(remembered));
  }

  #entryOf(tool: string): Entry {
    let entry = this.#entries.get(tool);
    if (entry === undefined) {
      entry = { failures: 0, refused: new Set() };
      this.#entries.set(tool, entry);
    }
    return entry;
  }

  /** Records that the tool succeeded, which resets its count. */
  recordSuccess(tool: string): void {
    const entry = this.#entries.get(tool);
    if (entry === undefined) return;
    if (entry.refused.size === 0) this.#entries.delete(tool);
    else entry.failures = 0;
  }
}

const fingerprint = (canonical: string): string => sha256(canonical);

/** Whether repeating a call of the tool with the same arguments does no harm, however the first call ended. */
export const isHarmlessToRepeat = ({ effect, category, answeredBy }: ToolDefinition): boolean =>
  answeredBy !== undefined || (effect === undefined ? category === "read" : effect !== "once");

/** Whether calls of the tool change anything outside. */
export const hasEffect = ({ effect, category, answeredBy }: ToolDefinition): boolean =>
  answeredBy === undefined && (effect === undefined ? category !== "read" : effect !== "none");

/**
 * Whether the same arguments may be tried again after a call that timed out or was cancelled midway, because it may have taken
 * effect. A write or delete needs `@effect` for it. A tool that declares neither may be repeated, because tools are retryable by
 * default.
 */
const mayRepeatUnknown = (definition: ToolDefinition): boolean =>
  definition.retryable && (isHarmlessToRepeat(definition) || (definition.effect === undefined && definition.category === "side_effect"));

/** Advice for a model that may call the tool again after a call that was stopped. */
export function adviceOnStopped(definition: ToolDefinition): string {
  if (!mayRepeatUnknown(definition)) {
    return "Find out by a tool that reads whether it did: the same arguments are refused for the rest of this run.";
  }
  return isHarmlessToRepeat(definition)
    ? "Calling it again with the same arguments does no harm."
    : "Find out whether it did before you call it again with the same arguments.";
}
