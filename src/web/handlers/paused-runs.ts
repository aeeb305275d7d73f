import type { DecisionClaims } from "../../storage/index.js";
import { openConfirmations, type RunState } from "../../loop/index.js";
import { isExpired } from "../../confirmation/internal.js";
import type { JsonObject } from "../json-value.js";

/** Where the runs are kept that wait for a person: a table with the run's id as its key, and the state as JSON. */
export interface RunStateStore {
  /** `undefined` where there is none. */
  load(runId: string): RunState | undefined | Promise<RunState | undefined>;
  /** Replaces the one that is there. */
  save(runId: string, state: RunState): void | Promise<void>;
  delete(runId: string): void | Promise<void>;
}

/** The runs that wait for a person, and who may decide. One of these is shared by the handlers of an application. */
export interface PausedRuns {
  readonly store: RunStateStore;
  /** Where used decisions are remembered. Default: in this process; several that share a store need one that they share. */
  readonly claims?: DecisionClaims;
  /**
   * Whether whoever sent the request may decide for this run: compare the user with `state.tags`, say, which the run was
   * given. For a form, `body` has its fields (a token against forged requests).
   */
  readonly authorise: (request: Request, state: RunState, body: JsonObject) => boolean | Promise<boolean>;
}

/** Keeps runs in this process: for one process, and while it lives. A run that can't be approved any more is forgotten. */
export class MemoryRunStateStore implements RunStateStore {
  readonly #states = new Map<string, RunState>();
  #nextSweep = 1_000;

  load(runId: string): RunState | undefined {
    return this.#states.get(runId);
  }

  save(runId: string, state: RunState): void {
    this.#states.set(runId, state);
    if (this.#states.size >= this.#nextSweep) this.#sweep();
  }

  delete(runId: string): void {
    this.#states.delete(runId);
  }

  #sweep(): void {
    for (const [runId, state] of this.#states) if (openConfirmations(state).every(isExpired)) this.#states.delete(runId);
    this.#nextSweep = this.#states.size * 2 + 1_000;
  }
}
