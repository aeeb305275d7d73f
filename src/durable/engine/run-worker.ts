import { JournalError, LeaseHeldError, LeaseLostError } from "../../storage/index.js";
import { isInterrupt } from "../../tool/internal.js";
import type { AgentMaker } from "../agent-maker.js";
import type { CarriedRun } from "../carried-run.js";
import type { OnRuntimeError } from "../report-error.js";
import type { RunCarrier } from "../run-carrier.js";
import { hasWork } from "../run-status.js";
import { UnknownAgents } from "../unknown-agents.js";
import type { Segment } from "./run-engine.js";

/** What a worker works with. */
export interface RunWorkerParts {
  readonly maker: AgentMaker;
  readonly carrier: RunCarrier;
  /** Hands a segment out, to this worker or another one. */
  readonly dispatch: (segment: Segment, delay: number) => Promise<void>;
  /** Whether another segment of the run is handed out or under way. */
  readonly hasOther: (segment: Segment) => Promise<boolean>;
  /** Passes on what happens in a run. Returns the end of it. */
  readonly relay: (runId: string) => () => void;
  readonly onError: OnRuntimeError;
}

/** Carries on segments: it takes over the run of each, and hands out the next segment if something is left to do then. */
export class RunWorker {
  readonly #parts: RunWorkerParts;
  /** The segments that this worker has now. */
  readonly #segments = new Map<string, Segment>();
  readonly #unknownAgents = new UnknownAgents();

  constructor(parts: RunWorkerParts) {
    this.#parts = parts;
  }

  /** Whether this worker carries on the segment. */
  has(segment: Segment): boolean {
    const { position, attempt } = this.#segments.get(segment.runId) ?? {};
    return position === segment.position && attempt === segment.attempt;
  }

  /** Never rejects. */
  async carry(segment: Segment): Promise<void> {
    const { runId } = segment;
    const { onError } = this.#parts;
    this.#segments.set(runId, segment);
    try {
      await this.#carry(segment);
    } catch (error) {
      // A sweep finds the run.
      onError(error, undefined);
    } finally {
      if (this.#segments.get(runId) === segment) this.#segments.delete(runId);
    }
  }

  async #carry(segment: Segment): Promise<void> {
    const { runId } = segment;
    const { carrier, relay, dispatch, hasOther, onError } = this.#parts;
    if (carrier.isDraining) return dispatch(next(segment), pause);
    let run: CarriedRun | undefined;
    try {
      run = await carrier.takeOver(runId);
    } catch (error) {
      // The run was removed, or can't be read.
      if (error instanceof JournalError) {
        if (error.reason !== "unknown") onError(error, undefined);
        return;
      }
      if (error instanceof LeaseHeldError) {
        // A worker that has just died, or one that carries it on.
        if (!(await hasOther(segment))) await dispatch(next(segment), pause);
        return;
      }
      onError(error, undefined);
      return dispatch(next(segment), pauseAfter(segment.attempt));
    }
    if (run === undefined) return this.#left(runId);
    const leave = relay(runId);
    const waiting = setTimeout(() => run.stopWaiting(), longestWait);
    const error = await run.ended;
    clearTimeout(waiting);
    leave();
    await this.#ended(segment, run, error);
  }

  async #ended(segment: Segment, run: CarriedRun, error: unknown): Promise<void> {
    const { runId, agent, opened } = run;
    const { carrier, dispatch, onError } = this.#parts;
    // Another worker carries it on.
    if (error instanceof LeaseLostError) return;
    const hasFailed = error !== undefined && !(error instanceof LeaseHeldError);
    if (hasFailed) onError(error, { runId, agent });
    // The run has ended with the outcome "interrupted".
    if (isInterrupt(error) || !hasWork(await carrier.records.read(runId))) return;
    const { length } = opened.journal;
    // Attempts are counted on while they fail.
    const attempt = hasFailed || length === segment.position ? segment.attempt + 1 : 0;
    const delay = hasFailed ? pauseAfter(segment.attempt) : run.hasBegun ? 0 : pause;
    await dispatch({ ...segment, position: length, attempt }, delay);
  }

  /** There is nothing to do, or this worker doesn't have the agent. */
  async #left(runId: string): Promise<void> {
    const { carrier, maker } = this.#parts;
    const content = await carrier.records.read(runId);
    const { agent } = content.accepted;
    if (!maker.knows(agent) && hasWork(content)) this.#unknownAgents.warn(runId, agent);
  }
}

const next = (segment: Segment): Segment => ({ ...segment, attempt: segment.attempt + 1 });

/** Milliseconds before a run is tried again that another process still holds, or whose conversation is in use. */
const pause = 1_000;

/** Milliseconds for which a run may wait for its conversation, and take a place of this worker. */
const longestWait = 500;

/** Milliseconds before a run that failed is tried again: longer and longer, up to a minute. */
const pauseAfter = (attempts: number): number => Math.min(pause * 4 ** attempts, 60_000);
