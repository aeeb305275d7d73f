import { warnProcess } from "../redaction/internal.js";
import { JournalError, type JournalHead, LeaseHeldError, LeaseLostError, type Storage } from "../storage/index.js";
import { Turns } from "../storage/internal.js";
import { isInterrupt, longestTimer } from "../tool/internal.js";
import { withinTime } from "../timing/index.js";
import type { AgentMaker } from "./agent-maker.js";
import { CarriedRun, type Ending } from "./carried-run.js";
import { observedStorage } from "./observed-storage.js";
import { RunFeed } from "./run-feed.js";
import { type OpenedRun, RunRecords } from "./run-records.js";
import { hasWork, isReady } from "./run-status.js";
import type { DrainReport, RuntimeRun } from "./runtime.js";
import { WakeUps } from "./wake-ups.js";

/** A run that ended with an error here. */
interface Failure {
  readonly error: unknown;
  readonly count: number;
  /** When it is tried again, by `performance.now()`. */
  readonly retryAt: number;
}

/** Carries on runs in this process: those that it is given, and those that no process carries on. */
export class RunCarrier {
  readonly records: RunRecords;
  /** Wakes those who wait for news of a run. */
  readonly news = new WakeUps();
  /** What is done with one run at a time. */
  readonly turns = new Turns();
  readonly #storage: Storage;
  readonly #maker: AgentMaker;
  readonly #onError: (error: unknown, run: RuntimeRun | undefined) => void;
  readonly #carried = new Map<string, CarriedRun>();
  readonly #feeds = new Map<string, RunFeed>();
  readonly #failures = new Map<string, Failure>();
  /** Recorded runs that no runtime started, and those of agents that this process doesn't have. */
  readonly #foreign = new Set<string>();
  readonly #unknownAgents = new Set<string>();
  /** Milliseconds between two looks for runs that no process carries on. */
  readonly #period: number;
  #sweepTimer: NodeJS.Timeout | undefined;
  #isDraining = false;
  #hasDrained = false;

  constructor(storage: Storage, maker: AgentMaker, onError: (error: unknown, run: RuntimeRun | undefined) => void) {
    this.#storage = observedStorage(storage, ({ runId, position, entries }) => {
      this.#feeds.get(runId)?.written(position, entries);
    });
    this.records = new RunRecords(this.#storage);
    this.#period = Math.min(storage.leaseDuration ?? 30_000, longestTimer);
    this.#maker = maker;
    this.#onError = onError;
    this.#sweepLater(0);
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Whether this process has left all runs. */
  get hasDrained(): boolean {
    return this.#hasDrained;
  }

  carriedRun(runId: string): CarriedRun | undefined {
    return this.#carried.get(runId);
  }

  /** Why the run doesn't go on here, after several attempts. */
  failureOf(runId: string): { readonly error: unknown } | undefined {
    const failure = this.#failures.get(runId);
    return failure !== undefined && failure.count >= mostAttempts ? failure : undefined;
  }

  /** What this process hears of a run. */
  feedOf(runId: string): RunFeed {
    const feed = this.#feeds.get(runId) ?? new RunFeed(() => this.news.wake(runId));
    this.#feeds.set(runId, feed);
    return feed;
  }

  /** To be called by a reader that leaves. */
  leaveFeed(runId: string): void {
    if (this.#feeds.get(runId)?.isUnread === true && !this.#carried.has(runId)) this.#feeds.delete(runId);
  }

  /** Carries on a run whose journal this process has opened. The run's `ended` tells when it leaves this process. */
  carry(opened: OpenedRun): CarriedRun {
    const { runId, agent } = opened.accepted;
    const make = this.#maker.knows(agent) ? () => this.#maker.make(opened, this.#storage) : undefined;
    const run = new CarriedRun(opened, this.#storage, make, this.feedOf(runId));
    this.#carried.set(runId, run);
    run.ended = run.begin().then((ending) => this.#left(run, ending));
    return run;
  }

  /** Carries on a run if there is something to do, and no other process does it. */
  takeOver(runId: string): Promise<void> {
    return this.turns.take(runId, async () => {
      if (this.#isDraining || this.#carried.has(runId)) return;
      const opened = await this.records.open(runId);
      if (opened.recorded?.isSaveDue === true || (isReady(opened) && this.#maker.knows(opened.accepted.agent))) this.carry(opened);
      else await opened.journal.close();
    });
  }

  /** Stops all runs: between two steps, and at the deadline wherever they are. */
  async drain(deadline: number): Promise<DrainReport> {
    this.#isDraining = true;
    clearTimeout(this.#sweepTimer);
    // What was asked for before is carried out, and then handed over as well.
    await withinTime(this.turns.idle(), deadline);
    const runs = [...this.#carried.values()];
    for (const run of runs) run.handOver("The process is shutting down.");
    const ended = Promise.all(runs.map((run) => run.ended));
    await withinTime(ended, deadline);
    const late = new Set(this.#carried.values());
    for (const run of late) run.leave();
    await ended;
    this.#hasDrained = true;
    this.news.wakeAll();
    const left: DrainReport["left"][number][] = [];
    for (const run of runs) {
      const { runId, agent } = run;
      if (run.isHandedOver && (await this.#isLeft(runId))) left.push({ runId, agent, cutOff: late.has(run) });
    }
    return { left };
  }

  /** Whether a run that was handed over has something left to do: it may have ended before it could leave. */
  #isLeft(runId: string): Promise<boolean> {
    return this.records.read(runId).then(hasWork, () => true);
  }

  async #left(run: CarriedRun, { error }: Ending): Promise<void> {
    const { runId } = run;
    this.#carried.delete(runId);
    if (error === undefined) this.#failures.delete(runId);
    else this.#failed(run, error);
    this.news.wake(runId);
    this.leaveFeed(runId);
    if (run.isDecided && error === undefined && !this.#isDraining) this.#takeOverSoon(runId);
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
    const pause = Math.min(firstPause * 4 ** count, this.#period);
    this.#failures.set(runId, { error, count: count + 1, retryAt: performance.now() + pause });
    this.#onError(error, { runId, agent });
    this.#retry(runId, pause);
  }

  #retry(runId: string, pause: number): void {
    if (!this.#isDraining) setTimeout(() => this.#takeOverSoon(runId), pause).unref();
  }

  #takeOverSoon(runId: string): void {
    this.takeOver(runId).catch((error: unknown) => {
      if (!(error instanceof LeaseHeldError)) this.#onError(error, undefined);
    });
  }

  #sweepLater(milliseconds: number): void {
    // Whether the process lives on is the application's decision.
    this.#sweepTimer = setTimeout(() => void this.#sweep(), milliseconds).unref();
  }

  /** Takes over what no process carries on. */
  async #sweep(): Promise<void> {
    try {
      const known = [...this.#foreign, ...this.#failures.keys()].filter((runId) => !this.#carried.has(runId));
      const heads = await this.#storage.journals.list({ status: "running", unleased: true });
      this.#forgetOthers(known, new Set(heads.map(({ runId }) => runId)));
      for (const head of heads) {
        if (this.#isDraining) return;
        if (this.#isDue(head.runId)) await this.#takeOverLeft(head);
      }
    } catch (error) {
      this.#onError(error, undefined);
    } finally {
      if (!this.#isDraining) this.#sweepLater(this.#period);
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
      await this.takeOver(runId);
      if (!this.#carried.has(runId)) this.#leaveTo(runId, agent);
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
    if (this.#unknownAgents.has(agent)) return;
    this.#unknownAgents.add(agent);
    warnProcess(
      `The run ${runId} waits for the agent "${agent}", which this runtime doesn't have: add its class to agents, here or in another process.`,
    );
  }
}

/** Attempts of one process, after which `result` rejects with the error. */
const mostAttempts = 3;

/** Milliseconds before the second attempt; each pause is four times as long as the one before. */
const firstPause = 1_000;
