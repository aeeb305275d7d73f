import { JournalError, type JournalHead, LeaseHeldError, LeaseLostError, type Storage } from "../storage/index.js";
import { leaseDurationOf } from "../storage/internal.js";
import { isInterrupt, longestTimer } from "../tool/internal.js";
import type { AgentMaker } from "./agent-maker.js";
import type { CarriedRun } from "./carried-run.js";
import type { OnRuntimeError } from "./report-error.js";
import type { RunCarrier } from "./run-carrier.js";
import { UnknownAgents } from "./unknown-agents.js";

/** A run that ended with an error here. */
interface Failure {
  readonly error: unknown;
  readonly count: number;
  /** When it is tried again, by `performance.now()`. */
  readonly retryAt: number;
}

/** Takes over the runs that no process carries on, and those that failed here. */
export class RunSweep {
  readonly #storage: Storage;
  readonly #maker: AgentMaker;
  readonly #carrier: RunCarrier;
  readonly #onError: OnRuntimeError;
  readonly #failures = new Map<string, Failure>();
  /** Recorded runs that no runtime started, and those of agents that this process doesn't have. */
  readonly #foreign = new Set<string>();
  readonly #unknownAgents = new UnknownAgents();
  /** Milliseconds between two looks for runs that no process carries on. */
  readonly #period: number;

  constructor(storage: Storage, maker: AgentMaker, carrier: RunCarrier, onError: OnRuntimeError) {
    this.#storage = storage;
    this.#maker = maker;
    this.#carrier = carrier;
    this.#onError = onError;
    this.#period = Math.min(leaseDurationOf(storage), longestTimer);
    this.#later(0);
  }

  /** Why the run doesn't go on here, after several attempts. */
  failureOf(runId: string): { readonly error: unknown } | undefined {
    const failure = this.#failures.get(runId);
    return failure !== undefined && failure.count >= mostAttempts ? failure : undefined;
  }

  /** To be called when a run has left this process. */
  left(run: CarriedRun, error: unknown): void {
    const { runId } = run;
    if (error !== undefined) {
      this.#failed(run, error);
      return;
    }
    this.#failures.delete(runId);
    if (run.isDecided && !this.#carrier.isDraining) this.#takeOverSoon(runId);
  }

  #failed(run: CarriedRun, error: unknown): void {
    const { runId, agent } = run;
    // Another process carries it on, or what it needs: the run that waits in its conversation, for example.
    if (error instanceof LeaseLostError) return;
    if (error instanceof LeaseHeldError) {
      this.#retry(runId, firstPause);
      return;
    }
    // The run has ended with the outcome "interrupted".
    if (isInterrupt(error)) {
      this.#onError(error, { runId, agent });
      return;
    }
    const { count } = this.#failures.get(runId) ?? { count: 0 };
    // Lengthened by chance: runs that failed together, for lack of a database for example, must not come back together.
    const pause = Math.min(firstPause * 4 ** count, this.#period) * (1 + Math.random() / 2);
    this.#failures.set(runId, { error, count: count + 1, retryAt: performance.now() + pause });
    this.#onError(error, { runId, agent });
    this.#retry(runId, pause);
  }

  #retry(runId: string, pause: number): void {
    if (!this.#carrier.isDraining) setTimeout(() => this.#takeOverSoon(runId), pause).unref();
  }

  #takeOverSoon(runId: string): void {
    this.#carrier.takeOver(runId).catch((error: unknown) => {
      if (!(error instanceof LeaseHeldError)) this.#onError(error, undefined);
    });
  }

  #later(milliseconds: number): void {
    // Whether the process lives on is the application's decision.
    setTimeout(() => void this.#sweep(), milliseconds).unref();
  }

  /** Takes over what no process carries on. */
  async #sweep(): Promise<void> {
    if (this.#carrier.isDraining) return;
    try {
      const known = [...this.#foreign, ...this.#failures.keys()].filter((runId) => this.#carrier.carriedRun(runId) === undefined);
      const heads = await this.#storage.journals.list({ status: "running", unleased: true });
      this.#forgetOthers(known, new Set(heads.map(({ runId }) => runId)));
      for (const head of heads) {
        if (this.#carrier.isDraining) return;
        if (this.#isDue(head.runId)) await this.#takeOverLeft(head);
      }
    } catch (error) {
      this.#onError(error, undefined);
    } finally {
      if (!this.#carrier.isDraining) this.#later(this.#period);
    }
  }

  /** Of runs that ended elsewhere, were removed or are carried on elsewhere, nothing is kept. */
  #forgetOthers(known: readonly string[], left: ReadonlySet<string>): void {
    for (const runId of known) {
      if (left.has(runId)) continue;
      this.#foreign.delete(runId);
      this.#failures.delete(runId);
    }
  }

  #isDue(runId: string): boolean {
    return !this.#foreign.has(runId) && (this.#failures.get(runId)?.retryAt ?? 0) <= performance.now();
  }

  async #takeOverLeft({ runId, agent }: JournalHead): Promise<void> {
    try {
      await this.#carrier.takeOver(runId);
      if (this.#carrier.carriedRun(runId) === undefined) this.#leaveTo(runId, agent);
    } catch (error) {
      // Another process was faster.
      if (error instanceof LeaseHeldError) return;
      // It can't be read, or is one that an application records by itself, or one of a sub-agent.
      if (error instanceof JournalError) this.#foreign.add(runId);
      if (!(error instanceof JournalError && error.reason === "not_accepted")) this.#onError(error, { runId, agent });
    }
  }

  /** The run of an agent that this process doesn't have. */
  #leaveTo(runId: string, agent: string): void {
    if (this.#maker.knows(agent)) return;
    this.#foreign.add(runId);
    this.#unknownAgents.warn(runId, agent);
  }
}

/** Attempts of one process, after which `result` rejects with the error. */
const mostAttempts = 3;

/** Milliseconds before the second attempt; each pause is four times as long as the one before. */
const firstPause = 1_000;
