import type { AcceptedEntry } from "../../loop/internal.js";
import { JournalError, type Storage } from "../../storage/index.js";
import { leaseDurationOf } from "../../storage/internal.js";
import { longestTimer } from "../../tool/internal.js";
import type { OnRuntimeError } from "../report-error.js";
import type { RunRecords } from "../run-records.js";
import { hasWork } from "../run-status.js";
import type { EngineWorker, Segment } from "./run-engine.js";
import { isAlive, type SignOfLife } from "./sign-of-life.js";

/** What a sweep looks at. */
export interface EngineSweepParts {
  readonly storage: Storage;
  readonly records: RunRecords;
  readonly engine: EngineWorker;
  readonly executorId: string;
  readonly version: string;
  readonly signs: readonly SignOfLife[];
  /** Whether this worker carries on the segment. */
  readonly has: (segment: Segment) => boolean;
  readonly dispatch: (segment: Segment) => Promise<void>;
  /** The key of a run's segments. */
  readonly keyOf: (accepted: AcceptedEntry) => string;
  readonly onError: OnRuntimeError;
}

/**
 * Hands out again what dead workers had, and what was recorded but not handed out because a process died in between. A sweep that is wrong
 * does no harm: two workers never write one journal.
 */
export class EngineSweep {
  readonly #parts: EngineSweepParts;
  readonly #period: number;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #sweeping: Promise<void> = Promise.resolve();
  /** Segments with the id of this worker that it didn't carry on at the last look. */
  #suspects: ReadonlySet<string> = new Set();
  #isLatestMissing = false;

  constructor(parts: EngineSweepParts) {
    this.#parts = parts;
    this.#period = Math.min(leaseDurationOf(parts.storage) / 2, longestTimer);
    this.#later(0);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#sweeping;
  }

  #later(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      this.#sweeping = this.#sweep().then(() => {
        if (!this.#isStopped) this.#later(this.#period);
      });
    }, milliseconds).unref();
  }

  async #sweep(): Promise<void> {
    const { engine, signs, onError } = this.#parts;
    try {
      for (const sign of signs) await sign.give();
      await this.#takeFromDeadWorkers();
      await this.#handOutForgotten();
      await engine.forgetEnded();
      await this.#replaceMissingVersion();
    } catch (error) {
      onError(error, undefined);
    }
  }

  /** Takes the place of the latest version if no worker of it lives: otherwise no worker would get new segments. */
  async #replaceMissingVersion(): Promise<void> {
    const { engine, storage, version } = this.#parts;
    const latest = await engine.latestVersion();
    const wasMissing = this.#isLatestMissing;
    this.#isLatestMissing = latest !== version && !(await isAlive(storage, "version", latest));
    // At the first look, another worker of that version may be about to give its sign.
    if (wasMissing && this.#isLatestMissing) await engine.becomeLatest();
  }

  async #takeFromDeadWorkers(): Promise<void> {
    const { engine, storage, executorId, has } = this.#parts;
    const known = new Map<string, boolean>();
    const seen = new Set<string>();
    const withdrawn = await engine.withdrawAbandoned(async (owner, segment) => {
      if (owner === executorId) {
        // One of an earlier process with this id, or one that is about to begin here.
        if (has(segment)) return false;
        const name = JSON.stringify(segment);
        seen.add(name);
        return this.#suspects.has(name);
      }
      const isLive = known.get(owner) ?? (await isAlive(storage, "worker", owner));
      known.set(owner, isLive);
      return !isLive;
    });
    for (const { runId } of withdrawn) await this.#handOut(runId);
    this.#suspects = seen;
  }

  async #handOutForgotten(): Promise<void> {
    const { storage, engine } = this.#parts;
    const before = Date.now() - this.#period;
    for (const { runId, updatedAt } of await storage.journals.list({ status: "running", unleased: true })) {
      if (this.#isStopped) return;
      if (Date.parse(updatedAt) < before && !(await engine.hasSegment(runId))) await this.#handOut(runId);
    }
  }

  async #handOut(runId: string): Promise<void> {
    const { records, storage, dispatch, keyOf } = this.#parts;
    const content = await records.readAccepted(runId).catch((error: unknown) => {
      if (error instanceof JournalError) return undefined;
      throw error;
    });
    const head = await storage.journals.head(runId);
    if (content === undefined || head === undefined || !hasWork(content)) return;
    // Workers that sweep at the same time hand out one segment.
    const attempt = Math.floor(Date.now() / this.#period);
    await dispatch({ runId, position: head.length, attempt, key: keyOf(content.accepted) });
  }
}
