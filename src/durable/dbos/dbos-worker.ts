import type { EngineWorker, Segment } from "../engine/run-engine.js";
import { application, idOf, prefixOf, segmentOf } from "./dbos-names.js";
import { listSegments, type SegmentQuery } from "./list-segments.js";
import type { Dbos, DbosClient } from "./load-dbos.js";

/** Milliseconds for which DBOS keeps segments after their end, so that its tools show them. */
const retention = 3_600_000;

/** Segments that are removed at once. */
const batch = 1_000;

/** This process as a worker of DBOS, whose tables it keeps in order: DBOS itself never gives the work of a dead process to another one. */
export class DbosWorker implements EngineWorker {
  readonly #dbos: Dbos["DBOS"];
  readonly #client: DbosClient;
  readonly #version: string;
  readonly #stopped: () => void;

  constructor(dbos: Dbos["DBOS"], client: DbosClient, version: string, stopped: () => void) {
    this.#dbos = dbos;
    this.#client = client;
    this.#version = version;
    this.#stopped = stopped;
  }

  async withdrawAbandoned(isAbandoned: (executorId: string, segment: Segment) => Promise<boolean>): Promise<readonly Segment[]> {
    const abandoned: Segment[] = [];
    for (const { workflowID, executorId, queuePartitionKey } of await this.#list({ status: "PENDING" })) {
      const segment = segmentOf(workflowID, queuePartitionKey);
      if (segment !== undefined && executorId !== undefined && (await isAbandoned(executorId, segment))) abandoned.push(segment);
    }
    if (abandoned.length > 0) await this.#client.cancelWorkflows(abandoned.map(idOf));
    return abandoned;
  }

  async hasSegment(runId: string, other?: Segment): Promise<boolean> {
    const otherId = other === undefined ? undefined : idOf(other);
    const found = await this.#list({ status: ["ENQUEUED", "DELAYED", "PENDING"], workflow_id_prefix: prefixOf(runId) });
    return found.some(({ workflowID }) => workflowID !== otherId && segmentOf(workflowID, undefined)?.runId === runId);
  }

  async forgetEnded(): Promise<void> {
    const completedBefore = new Date(Date.now() - retention).toISOString();
    const ended = await this.#list({ status: ["SUCCESS", "ERROR", "CANCELLED"], completedBefore, limit: batch });
    if (ended.length > 0) await this.#client.deleteWorkflows(ended.map(({ workflowID }) => workflowID));
  }

  async latestVersion(): Promise<string> {
    const { versionName } = await this.#client.getLatestApplicationVersion();
    return versionName;
  }

  async becomeLatest(): Promise<void> {
    await this.#client.setLatestApplicationVersion(this.#version, { applicationName: application });
  }

  async stop(milliseconds: number): Promise<void> {
    await this.#dbos.shutdown({ workflowCompletionTimeoutMS: milliseconds });
    this.#stopped();
  }

  #list(query: SegmentQuery): ReturnType<typeof listSegments> {
    return listSegments(this.#client, query);
  }
}
