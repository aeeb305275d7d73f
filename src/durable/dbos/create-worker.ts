import { hostname } from "node:os";
import type { AgentClass } from "../../agent/index.js";
import { shareLimits } from "../../execution/internal.js";
import { randomUuid } from "../../platform/index.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";
import { checkAgents, type RunServices } from "../agent-maker.js";
import { EngineSweep } from "../engine/engine-sweep.js";
import { LeasedLimits } from "../engine/leased-limits.js";
import type { Segment } from "../engine/run-engine.js";
import { relayRun } from "../engine/run-relay.js";
import { RunWorker } from "../engine/run-worker.js";
import { claimWorkerId, SignOfLife } from "../engine/sign-of-life.js";
import { type OnRuntimeError, reportTo } from "../report-error.js";
import { deadlineOf } from "../recorded-runtime.js";
import type { DrainOptions, DrainReport } from "../runtime.js";
import { type DbosRuntime, partsOf } from "./dbos-runtime.js";

/** Options of `createWorker`. */
export interface WorkerOptions extends RunServices {
  /** The agents of the runtime. Give each worker all of them. */
  readonly agents: readonly AgentClass[];
  /**
   * The version of the application, such as the id of its commit. Work that waits goes to the version that was started last, also after a
   * rollback; if no worker of it lives, to any other one.
   */
  readonly version: string;
  /** Runs at once in this process. The worker that started last sets it for all. Default: 10. */
  readonly concurrency?: number;
  /** An id that no other process has, and that stays the same if the process starts again: a pod's name. Default: a new one each time. */
  readonly executorId?: string;
  /** Receives what went wrong. It is tried again. Default: a process warning. */
  readonly onError?: OnRuntimeError;
}

const optionNames: OptionNames<WorkerOptions> = {
  agents: true,
  version: true,
  concurrency: true,
  executorId: true,
  services: true,
  options: true,
  onError: true,
};

/** A process that carries on runs. */
export interface Worker {
  /** Leaves all runs to other workers: between two steps, and at the deadline wherever they are. Afterwards this process takes no more. */
  drain(options?: DrainOptions): Promise<DrainReport>;
}

/**
 * Lets this process carry on the runs of a runtime, until `drain`.
 *
 * ```ts
 * const worker = await createWorker(runtime, { agents: [SupportAgent], version: process.env.VERSION });
 * process.once("SIGTERM", () => worker.drain());
 * ```
 *
 * DBOS runs once in a process, so a process has one worker. Throws `RuntimeError` if another process has the `executorId`. See
 * docs/25-workers.md.
 */
export async function createWorker(runtime: DbosRuntime, options: WorkerOptions): Promise<Worker> {
  checkOptionNames(options, optionNames, "createWorker");
  const { agents, version, concurrency = 10, executorId = `${hostname()}-${randomUuid()}`, onError } = options;
  checkAgents(agents, "createWorker");
  checkText(version, "version", "the id of the commit");
  checkText(executorId, "executorId", "the name of the pod");
  if (!(Number.isSafeInteger(concurrency) && concurrency > 0)) {
    throw new RangeError(`createWorker: concurrency is ${concurrency}, but is the number of runs at once: give 1 or more.`);
  }
  const { storage, maker, carrier, engine, news, keyOf } = runtime[partsOf];
  const report = reportTo(onError);
  maker.employ(agents, options);
  const dispatch = (segment: Segment, delay?: number): Promise<void> => engine.dispatch(segment, delay);
  const signs = [await claimWorkerId(storage, executorId), new SignOfLife(storage, "version", version)];
  const endSigns = (): Promise<unknown> => Promise.all(signs.map((sign) => sign.end()));
  const worker = new RunWorker({
    ...{ maker, carrier, dispatch, onError: report },
    hasOther: (segment) => working.hasSegment(segment.runId, segment),
    relay: (runId) => relayRun(carrier, news, runId),
  });
  const carry = (segment: Segment): Promise<void> => worker.carry(segment);
  const working = await engine
    .work({ executorId, version, concurrency, carry, onError: (error) => report(error, undefined) })
    .catch(async (error: unknown) => {
      await endSigns();
      throw error;
    });
  const endSharing = shareLimits(new LeasedLimits(storage));
  const sweep = new EngineSweep({
    ...{ storage, records: carrier.records, engine: working, executorId, version, signs, keyOf, dispatch, onError: report },
    has: (segment) => worker.has(segment),
  });
  return {
    drain: async (given = {}) => {
      const deadline = deadlineOf(given);
      const draining = runtime.drain({ deadline });
      await sweep.stop();
      const [drained] = await Promise.all([draining, working.stop(longestStop)]);
      endSharing();
      await endSigns();
      return drained;
    },
  };
}

/** Milliseconds for the last words about runs after they were left: their segments are handed out again. */
const longestStop = 120_000;

function checkText(value: unknown, name: string, example: string): void {
  if (typeof value === "string" && value !== "") return;
  throw new TypeError(`createWorker: ${name} must be a string that isn't empty, such as ${example}.`);
}
