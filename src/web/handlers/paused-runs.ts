import type { DecisionClaims } from "../../storage/index.js";
import type { RunState } from "../../loop/index.js";
import { waitingCalls } from "../../loop/internal.js";
import { isExpired } from "../../confirmation/internal.js";
import type { JsonObject } from "../json-object.js";

/** The store of paused runs: a table with the run's id as key and the state as JSON. See docs/14-web-applications.md. */
export interface RunStateStore {
  /** Returns the state, or `undefined` if there is none. */
  load(runId: string): RunState | undefined | Promise<RunState | undefined>;
  /** Stores the state, replacing an existing one. */
  save(runId: string, state: RunState): void | Promise<void>;
  /** Deletes the state. */
  delete(runId: string): void | Promise<void>;
}

/**
 * Runs that wait for a person, and who may decide about them. Share one object between the handlers of an application. See
 * docs/14-web-applications.md.
 */
export interface PausedRuns {
  /** The store of the states. */
  readonly store: RunStateStore;
  /** The record of used decisions. Default: in this process. Share one if several processes share the store. */
  readonly claims?: DecisionClaims;
  /**
   * Whether the sender of the request may decide about this run. Compare the user with a tag of the run, such as `state.tags`. For
   * a form, `body` has its fields, such as a CSRF token.
   */
  readonly authorise: (request: Request, state: RunState, body: JsonObject) => boolean | Promise<boolean>;
  /** Who decides, from the session of the request: a name or an id of at most 200 characters. The decisions have it as `decidedBy`. */
  readonly decidedBy?: (request: Request, body: JsonObject) => string | undefined | Promise<string | undefined>;
}

/** Keeps paused runs in this process. Runs that can't be approved any more are deleted. See docs/14-web-applications.md. */
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
    for (const [runId, state] of this.#states) if (waitingCalls(state).every(isExpired)) this.#states.delete(runId);
    this.#nextSweep = this.#states.size * 2 + 1_000;
  }
}
