import type { Storage } from "../../storage/index.js";
import { HeldLease } from "../../storage/internal.js";
import type { EngineWork, EngineWorker, RunEngine, Segment } from "../engine/run-engine.js";
import type { RunLimits } from "../run-limits.js";
import { RuntimeError } from "../runtime-error.js";
import { whenFree } from "../when-free.js";
import { application, idOf, queue, workflow } from "./dbos-names.js";
import { DbosWorker } from "./dbos-worker.js";
import { listSegments, type SegmentQuery } from "./list-segments.js";
import { type Dbos, type DbosClient, loadDbos } from "./load-dbos.js";

/** Where the tables of DBOS are, and what its queue lets through. */
export interface DbosEngineOptions {
  readonly connectionString: string;
  readonly storage: Storage;
  /** The schema of the tables of DBOS. */
  readonly schema: string;
  readonly limits: RunLimits;
}

/** Milliseconds between two looks into the queue: the most that a decision waits for a worker that is idle. */
const pollInterval = 50;

/** The worker of this process: DBOS is launched once in a process. */
let working: ((segment: Segment) => Promise<void>) | undefined;
let isRegistered = false;

/** Hands out segments by a queue of DBOS. Each segment is a workflow without steps: what happens in it is in the journal of the run. */
export class DbosEngine implements RunEngine {
  readonly #options: DbosEngineOptions;
  #client: Promise<DbosClient> | undefined;

  constructor(options: DbosEngineOptions) {
    this.#options = options;
  }

  async dispatch(segment: Segment, delay = 0): Promise<void> {
    const client = await this.#open();
    const { runId, position, attempt, key } = segment;
    const options = {
      queueName: queue,
      workflowName: workflow,
      workflowID: idOf(segment),
      // Also without a limit per key: a queue that gets one later would never look at those that have no key.
      queuePartitionKey: key,
      // To be counted by.
      ...(this.#options.limits.perKey !== undefined && { attributes: { key } }),
      ...(delay > 0 && { delaySeconds: delay / 1_000 }),
    };
    try {
      await client.enqueue(options, runId, position, attempt, key);
    } catch (error) {
      throwUnlessTableIsMissing(error);
      // No worker has made the tables yet.
      const { DBOS } = await loadDbos("DbosRuntime");
      await alone(this.#options.storage, () => DBOS.migrate(this.#options.connectionString, { schemaName: this.#options.schema }));
      await client.enqueue(options, runId, position, attempt, key);
    }
  }

  async countOf(key: string, most: number): Promise<number> {
    return this.#count({ status: ["ENQUEUED", "DELAYED", "PENDING"], attributes: { key }, limit: most });
  }

  async countBegun(period: number, most: number): Promise<number> {
    const begun = await this.#count({ dequeuedAfter: new Date(Date.now() - period).toISOString(), limit: most });
    return begun >= most ? begun : begun + (await this.#count({ status: "ENQUEUED", limit: most - begun }));
  }

  async #count(query: SegmentQuery): Promise<number> {
    const client = await this.#open();
    const found = await listSegments(client, query).catch((error: unknown) => {
      throwUnlessTableIsMissing(error);
      return [];
    });
    return found.length;
  }

  async work(work: EngineWork): Promise<EngineWorker> {
    const { DBOS } = await loadDbos("createWorker");
    if (working !== undefined || DBOS.isInitialized()) {
      throw new RuntimeError(
        "unsupported",
        "createWorker: DBOS runs in this process already, and runs once in a process. Give the worker a process of its own.",
      );
    }
    working = work.carry;
    try {
      const client = await this.#open();
      await launch(DBOS, client, work, this.#options);
      return new DbosWorker(DBOS, client, work.version, () => {
        working = undefined;
      });
    } catch (error) {
      await DBOS.shutdown().catch(() => undefined);
      working = undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await (await client)?.destroy();
  }

  #open(): Promise<DbosClient> {
    this.#client ??= this.#connect().catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  async #connect(): Promise<DbosClient> {
    const { connectionString, schema } = this.#options;
    const { DBOSClient } = await loadDbos("DbosRuntime");
    return DBOSClient.create({
      ...{ systemDatabaseUrl: connectionString, systemDatabaseSchemaName: schema, applicationName: application },
      // Errors of its calls come as exceptions.
      logger: loggerTo(() => undefined),
    });
  }
}

async function launch(
  DBOS: Dbos["DBOS"],
  client: DbosClient,
  work: EngineWork,
  { connectionString, storage, schema, limits }: DbosEngineOptions,
): Promise<void> {
  if (!isRegistered) {
    // Segments that an earlier version handed out have no key among their arguments.
    const work = (runId: string, position: number, attempt: number, key = runId) => carry({ runId, position, attempt, key });
    DBOS.registerWorkflow(work, { name: workflow });
    isRegistered = true;
  }
  DBOS.setConfig({
    ...{ name: application, systemDatabaseUrl: connectionString, systemDatabaseSchemaName: schema, listenQueues: [queue] },
    ...{ executorID: work.executorId, applicationVersion: work.version },
    logger: loggerTo(work.onError),
  });
  const { perKey, rate } = limits;
  const register = () =>
    client.registerQueue(queue, {
      ...{ applicationName: application, workerConcurrency: work.concurrency, minPollingIntervalMs: pollInterval },
      ...(perKey !== undefined && { partitionConcurrency: perKey.concurrency }),
      ...(rate !== undefined && { rateLimit: { limitPerPeriod: rate.runs, periodSec: rate.period / 1_000 } }),
      onConflict: "always_update",
    });
  // Once launched, DBOS would work with the limits of an earlier worker for a second.
  const isReady = await register().then(() => true, throwUnlessTableIsMissing);
  await alone(storage, () => DBOS.launch());
  if (!isReady) await register();
  // New work goes to the version that was started last, also after a rollback.
  await DBOS.setLatestApplicationVersion(work.version);
}

/** Lets one process at a time make the tables of DBOS, which two would do to each other's harm. */
async function alone(storage: Storage, work: () => Promise<void>): Promise<void> {
  const lease = await whenFree(() => HeldLease.acquire(storage, "tables of DBOS", "The making of the tables of DBOS"), longestLaunch);
  try {
    await work();
  } finally {
    await lease.release();
  }
}

/** Milliseconds that a worker waits for others that begin at the same time. */
const longestLaunch = 120_000;

function carry(segment: Segment): Promise<void> {
  if (working === undefined) throw new Error("No worker of Toolwright runs in this process.");
  return working(segment);
}

/** Before the first worker makes the tables. Returns `false` for them. */
function throwUnlessTableIsMissing(error: unknown): false {
  // Of Postgres: "undefined_table".
  if ((error as { readonly code?: string }).code === "42P01") return false;
  throw error;
}

/** Of what DBOS logs, only errors are news. */
const loggerTo = (report: (error: unknown) => void): Logger => ({
  info: () => undefined,
  debug: () => undefined,
  warn: () => undefined,
  error: (entry) => report(entry instanceof Error ? entry : new Error(String(entry))),
});

type Logger = NonNullable<Parameters<Dbos["DBOSClient"]["create"]>[0]["logger"]>;
