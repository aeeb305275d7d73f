import type { AgentEvent } from "../agent/index.js";
import type { Storage } from "../storage/index.js";
import { Turns } from "../storage/internal.js";
import { withinTime } from "../timing/index.js";
import type { AgentMaker } from "./agent-maker.js";
import { CarriedRun } from "./carried-run.js";
import type { EventPlace } from "./event-id.js";
import { observedStorage } from "./observed-storage.js";
import { RunFeed } from "./run-feed.js";
import type { RunGate } from "./run-gate.js";
import { type OpenedRun, RunRecords } from "./run-records.js";
import { hasWork, isReady } from "./run-status.js";
import type { DrainReport } from "./runtime.js";
import { WakeUps } from "./wake-ups.js";

/** Carries on runs in this process, and publishes what happens in them. */
export class RunCarrier {
  readonly records: RunRecords;
  /** Wakes those who wait for news of a run. */
  readonly news = new WakeUps();
  /** What is done with one run at a time. */
  readonly turns = new Turns();
  readonly #storage: Storage;
  readonly #maker: AgentMaker;
  readonly #left: ((run: CarriedRun, error: unknown) => void) | undefined;
  readonly #gate: RunGate | undefined;
  readonly #carried = new Map<string, CarriedRun>();
  readonly #feeds = new Map<string, RunFeed>();
  #isDraining = false;
  #hasDrained = false;

  /** `left`: called when a run has left this process, with the error if one ended it here. `gate`: limits the runs that go on. */
  constructor(storage: Storage, maker: AgentMaker, left?: (run: CarriedRun, error: unknown) => void, gate?: RunGate) {
    this.#storage = observedStorage(storage, ({ runId, position, entries }) => {
      this.#feeds.get(runId)?.written(position, entries);
    });
    this.records = new RunRecords(this.#storage);
    this.#maker = maker;
    this.#left = left;
    this.#gate = gate;
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

  /** What this process learns of a run. */
  feedOf(runId: string): RunFeed {
    const feed = this.#feeds.get(runId) ?? new RunFeed(() => this.news.wake(runId));
    this.#feeds.set(runId, feed);
    return feed;
  }

  /** A piece of a run that another process carries on, for those who read its events here. */
  pass(runId: string, place: EventPlace, event: AgentEvent): void {
    this.#feeds.get(runId)?.pass(place, event);
  }

  /** To be called by a reader that leaves. */
  leaveFeed(runId: string): void {
    if (this.#feeds.get(runId)?.isUnread === true && !this.#carried.has(runId)) this.#feeds.delete(runId);
  }

  /** Carries on a run whose journal this process has opened. The run's `ended` resolves when it leaves this process. */
  carry(opened: OpenedRun): CarriedRun {
    const { runId, agent } = opened.accepted;
    const make = this.#maker.knows(agent) ? () => this.#maker.make(opened, this.#storage) : undefined;
    const run = new CarriedRun(opened, this.#storage, make, this.feedOf(runId), this.#gate);
    this.#carried.set(runId, run);
    run.ended = run.begin().then(({ error }) => {
      this.#carried.delete(runId);
      this.#left?.(run, error);
      this.news.wake(runId);
      this.leaveFeed(runId);
      return error;
    });
    return run;
  }

  /** Carries on a run if there is something to do, and no process does it. Throws `LeaseHeldError` if another process does. */
  takeOver(runId: string): Promise<CarriedRun | undefined> {
    return this.turns.take(runId, async () => {
      if (this.#isDraining || this.#carried.has(runId)) return undefined;
      const opened = await this.records.open(runId);
      if (opened.recorded?.isSaveDue === true || (isReady(opened) && this.#maker.knows(opened.accepted.agent))) return this.carry(opened);
      await opened.journal.close();
      return undefined;
    });
  }

  /** Stops all runs: between two steps, and at the deadline wherever they are. */
  async drain(deadline: number): Promise<DrainReport> {
    this.#isDraining = true;
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
}
