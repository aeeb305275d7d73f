import { createHash } from "node:crypto";
import type { ToolDefinition } from "../tool/index.js";
import { canonicalJson } from "./canonical.js";
import { type PreparedCall, settledOf } from "./prepared-call.js";
import { mayRepeatUnknown } from "./repetition.js";

/** Attempts in total, the first one included. */
const attemptLimit = 3;

/** The ledger as JSON, by tool name: how often it failed since its last success, and which arguments it refuses. */
export interface AttemptLedgerState {
  readonly [tool: string]: { readonly failures: number; readonly refused?: readonly string[] };
}

interface Entry {
  failures: number;
  /** Hashes, because arguments may hold secrets and the ledger is stored with the run. */
  readonly refused: Set<string>;
}

/**
 * Counts, for one run, the attempts of each tool whose body started and failed. After three the tool answers
 * `retries_exhausted`; a success starts the count anew. Invalid arguments never count.
 *
 * Arguments that may have taken effect are refused for the rest of the run: after a failure, those of a tool that isn't
 * retryable; after a call that was stopped midway, those of every write and delete whose `@effect` doesn't say that
 * repeating is harmless.
 */
export class AttemptLedger {
  readonly #entries = new Map<string, Entry>();

  static fromJSON(state: AttemptLedgerState): AttemptLedger {
    const ledger = new AttemptLedger();
    for (const [tool, { failures, refused }] of Object.entries(state)) ledger.#entries.set(tool, { failures, refused: new Set(refused) });
    return ledger;
  }

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
      return `Tool '${name}' was called with exactly these arguments before, and may have taken effect: it isn't called so again in this run. Find out by a tool that reads whether it did, use other arguments, or tell the user.`;
    }
    return undefined;
  }

  /**
   * What the ledger has to know of the arguments once a call of them has ended badly, taken before the tool gets them
   * and may change them: their canonical text, for a tool that may come to refuse them.
   */
  remember(call: PreparedCall): string | undefined {
    return mayRepeatUnknown(call.definition) ? undefined : canonicalJson(settledOf(call).input);
  }

  /** The tool says that it failed. Tools that aren't retryable refuse the arguments from now on. */
  recordFailure({ name, retryable }: Pick<ToolDefinition, "name" | "retryable">, remembered: string | undefined): void {
    const entry = this.#entryOf(name);
    entry.failures += 1;
    if (remembered !== undefined && !retryable) entry.refused.add(fingerprint(remembered));
  }

  /** The tool was stopped, or its process ended, before it said how the call went. `counts`: as one of its attempts. */
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

  recordSuccess(tool: string): void {
    const entry = this.#entries.get(tool);
    if (entry === undefined) return;
    if (entry.refused.size === 0) this.#entries.delete(tool);
    else entry.failures = 0;
  }
}

const fingerprint = (canonical: string): string => createHash("sha256").update(canonical).digest("hex");
