import type { AcceptedEntry } from "../../loop/internal.js";
import { PostgresStorage } from "../../storage/index.js";
import { PostgresNews } from "../../storage/internal.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";
import { AgentMaker } from "../agent-maker.js";
import type { RunEngine } from "../engine/run-engine.js";
import { followRun, publishCancellation } from "../engine/run-relay.js";
import { RecordedRuntime } from "../recorded-runtime.js";
import { reportTo } from "../report-error.js";
import { RunCarrier } from "../run-carrier.js";
import { checkLimits, keyIsFull, limitExceeded, limitKeyOf, rateIsFull, type RunLimits } from "../run-limits.js";
import type { RunStatus } from "../runtime.js";
import { DbosEngine } from "./dbos-engine.js";

/** Options of `DbosRuntime`. */
export interface DbosRuntimeOptions {
  /** The database: `postgres://user:password@host/database`. */
  readonly connectionString: string;
  /** The schema of the tables of Toolwright; those of DBOS are in another one with `_dbos` at its end. Default: `toolwright`. */
  readonly schema?: string;
  /** Milliseconds after which the runs of a process that died are given to another one. Default: 30,000. */
  readonly leaseDuration?: number;
  /** Limits for the runs of all processes. Give each process the same. */
  readonly limits?: RunLimits;
}

const optionNames: OptionNames<DbosRuntimeOptions> = { connectionString: true, schema: true, leaseDuration: true, limits: true };

/** What `createWorker` needs of a runtime. */
export interface DbosParts {
  readonly storage: PostgresStorage;
  readonly maker: AgentMaker;
  readonly carrier: RunCarrier;
  readonly engine: DbosEngine;
  readonly news: PostgresNews;
  /** The key whose limit a run shares; its id if it has none. */
  readonly keyOf: (accepted: AcceptedEntry) => string;
}

export const partsOf = Symbol("parts");

/**
 * Hands out runs to workers on any number of machines, by DBOS on Postgres. An application starts runs, decides, and reads with it;
 * `createWorker` makes a process carry them on.
 *
 * ```ts
 * const runtime = new DbosRuntime({ connectionString: process.env.DATABASE_URL });
 * await runtime.start(SupportAgent, "Refund order 7", { runId: "order-7", context: { userId: "42" } });
 * ```
 *
 * It needs the packages `@dbos-inc/dbos-sdk` and `pg`. See docs/25-workers.md.
 */
export class DbosRuntime extends RecordedRuntime {
  readonly #parts: DbosParts;

  constructor(options: DbosRuntimeOptions) {
    checkOptionNames(options, optionNames, "DbosRuntime");
    const { connectionString, schema = "toolwright", leaseDuration, limits = {} } = options;
    checkLimits(limits, "DbosRuntime");
    const storage = new PostgresStorage({ connectionString }, { schema, ...(leaseDuration !== undefined && { leaseDuration }) });
    const maker = new AgentMaker([], {}, "createWorker");
    const carrier = new RunCarrier(storage, maker);
    const engine = new DbosEngine({ connectionString, storage, schema: `${schema}_dbos`, limits });
    const news = new PostgresNews(connectionString, schema);
    const keyOf = (accepted: AcceptedEntry): string => limitKeyOf(limits, accepted, "DbosRuntime") ?? accepted.runId;
    const report = reportTo();
    const parts: DbosParts = { storage, maker, carrier, engine, news, keyOf };
    super({
      storage,
      maker,
      carrier,
      // Which agents the workers have isn't known here.
      nameOf: (agent) => (typeof agent === "string" ? agent : maker.learn(agent)),
      check: (accepted) => void keyOf(accepted),
      admit: async (accepted) => {
        await refuseExceeded(engine, limits, accepted, keyOf(accepted));
        return () => undefined;
      },
      goOn: async ({ journal, accepted }) => {
        const { length } = journal;
        await journal.close();
        const { runId, agent } = accepted;
        try {
          await engine.dispatch({ runId, position: length, attempt: 0, key: keyOf(accepted) });
        } catch (error) {
          // It is recorded: a worker's sweep finds it.
          report(error, { runId, agent });
        }
      },
      failureOf: () => undefined,
      listen: (runId) => followRun(carrier, news, runId),
    });
    this.#parts = parts;
  }

  /** The storage of the runs, with the conversations. */
  get storage(): PostgresStorage {
    return this.#parts.storage;
  }

  /** @internal */
  get [partsOf](): DbosParts {
    return this.#parts;
  }

  override async cancel(runId: string, reason = "The run was cancelled."): Promise<RunStatus> {
    const status = await super.cancel(runId, reason);
    publishCancellation(this.#parts.news, runId, reason);
    return status;
  }

  /** Ends the connections. Drain the worker of this process before. */
  async close(): Promise<void> {
    const { storage, engine, news } = this.#parts;
    await news.close();
    await engine.close();
    await storage.close();
  }
}

/** Throws `RuntimeError` for a run that would have to wait and mustn't. Processes that start runs at the same moment may accept some more, which wait. */
async function refuseExceeded(engine: RunEngine, limits: RunLimits, { runId }: AcceptedEntry, key: string): Promise<void> {
  const { perKey, rate, whenExceeded } = limits;
  if (whenExceeded !== "reject") return;
  if (perKey !== undefined && (await engine.countOf(key, perKey.concurrency)) >= perKey.concurrency)
    throw limitExceeded(runId, keyIsFull(key, perKey.concurrency));
  if (rate !== undefined && (await engine.countBegun(rate.period, rate.runs)) >= rate.runs) throw limitExceeded(runId, rateIsFull(rate));
}
