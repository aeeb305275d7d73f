import type { AgentClass, AgentResponse, Prompt } from "../agent/index.js";
import { checkApprovals, checkDecisions, obstacleSearch, recordedObstacles, recordedResponse, stateOf } from "../agent/internal.js";
import { type Decision, DecisionError } from "../confirmation/index.js";
import { checkDecision, refuseLate } from "../confirmation/internal.js";
import { type AcceptedEntry, type RecordedRun, waitingCalls } from "../loop/internal.js";
import { randomUuid } from "../platform/index.js";
import { LeaseLostError, type Storage } from "../storage/index.js";
import { checkOptionNames, follow, longestTimer, type OptionNames } from "../tool/internal.js";
import { acceptedEntry } from "./accept-run.js";
import type { AgentMaker } from "./agent-maker.js";
import { cancelRecorded } from "./cancel-recorded.js";
import { readEvents } from "./read-events.js";
import type { RunCarrier } from "./run-carrier.js";
import { saveConversation } from "./run-conversation.js";
import type { AcceptedContent, OpenedRun } from "./run-records.js";
import { endOf, pendingOf, statusOf } from "./run-status.js";
import type {
  DrainOptions,
  DrainReport,
  EventsOptions,
  PendingItem,
  PendingQuery,
  ResultOptions,
  RunEvent,
  RunStatus,
  Runtime,
  StartOptions,
} from "./runtime.js";
import { RuntimeError } from "./runtime-error.js";

/** What carries on the runs of a runtime. */
export interface RuntimeParts {
  readonly storage: Storage;
  readonly maker: AgentMaker;
  readonly carrier: RunCarrier;
  /** The recorded name of an agent. Throws `RuntimeError` if the runtime can't carry out its runs. */
  nameOf(agent: string | AgentClass): string;
  /** Throws for a run that the runtime can't carry out. */
  check?(accepted: AcceptedEntry): void;
  /** Throws for a new run over a limit. Returns what is to be called once the run goes on, or wasn't recorded. */
  admit?(accepted: AcceptedEntry): Promise<() => void>;
  /** Sees to it that a run goes on that was accepted or decided just now. Its journal is open; `goOn` closes it or passes it on. */
  goOn(opened: OpenedRun): Promise<void>;
  /** Why a run doesn't go on, if this process knows. */
  failureOf(runId: string): { readonly error: unknown } | undefined;
  /** Passes what happens in a run that another process carries on to this process's readers. Returns the end of it. */
  listen?(runId: string): () => void;
}

/** A runtime whose runs are recorded in a storage: what all of them do alike, whatever carries on the runs. */
export abstract class RecordedRuntime implements Runtime {
  readonly #parts: RuntimeParts;
  readonly #storage: Storage;
  readonly #maker: AgentMaker;
  readonly #carrier: RunCarrier;

  constructor(parts: RuntimeParts) {
    this.#parts = parts;
    this.#storage = parts.storage;
    this.#maker = parts.maker;
    this.#carrier = parts.carrier;
  }

  async start(agent: string | AgentClass, prompt: Prompt, options: StartOptions = {}): Promise<RunStatus> {
    const name = this.#parts.nameOf(agent);
    const { runId = randomUuid() } = options;
    const accepted = acceptedEntry(runId, name, prompt, options);
    this.#parts.check?.(accepted);
    return this.#carrier.turns.take(runId, async () => {
      if (this.#carrier.isDraining)
        throw new RuntimeError("draining", `start: this runtime was drained. Start the run "${runId}" in another process.`);
      let leave: (() => void) | undefined;
      try {
        const opened = await this.#carrier.records.accept(accepted, async () => {
          leave = await this.#parts.admit?.(accepted);
        });
        if (opened === undefined) return await this.status(runId);
        const status = statusOf(opened);
        // Right before the run is counted as one that goes on.
        leave?.();
        leave = undefined;
        await this.#parts.goOn(opened);
        return status;
      } finally {
        leave?.();
      }
    });
  }

  async status(runId: string): Promise<RunStatus> {
    return statusOf(await this.#carrier.records.read(runId));
  }

  async result(runId: string, options: ResultOptions = {}): Promise<AgentResponse> {
    checkOptionNames(options, resultNames, "result");
    const { abortSignal } = options;
    const leave = this.#parts.listen?.(runId);
    try {
      return await this.#whenEnded(runId, abortSignal);
    } finally {
      leave?.();
    }
  }

  async #whenEnded(runId: string, abortSignal: AbortSignal | undefined): Promise<AgentResponse> {
    for (;;) {
      const { recorded } = await this.#carrier.records.read(runId);
      if (recorded !== undefined && endOf({ recorded }) !== undefined) return this.#responseOf(recorded);
      abortSignal?.throwIfAborted();
      const failure = this.#parts.failureOf(runId);
      if (failure !== undefined) throw failure.error;
      if (this.#carrier.isDraining)
        throw new RuntimeError("draining", `result: this runtime was drained. The run "${runId}" goes on in another process.`);
      await this.#carrier.news.wait(runId, pollInterval, abortSignal);
      abortSignal?.throwIfAborted();
    }
  }

  async pending(query: PendingQuery = {}): Promise<readonly PendingItem[]> {
    checkOptionNames(query, pendingNames, "pending");
    const { runId, limit = 100 } = query;
    if (runId !== undefined) return (await this.status(runId)).pending;
    const items: PendingItem[] = [];
    let runs = 0;
    // Runs that stopped without an answer, and those that no runtime started, are in the list too.
    for (const head of await this.#storage.journals.list({ status: "waiting" })) {
      if (runs >= limit) break;
      const content = await this.#carrier.records.readAccepted(head.runId);
      const pending = content === undefined ? [] : pendingOf(content);
      if (pending.length > 0) runs += 1;
      items.push(...pending);
    }
    return items;
  }

  async decide(runId: string, callId: string, decision: Decision): Promise<RunStatus> {
    checkDecision(decision);
    if (decision.callId !== callId) {
      throw new DecisionError(
        "unknown_call",
        `decide: the decision is about the call "${decision.callId}", and was given for "${callId}".`,
      );
    }
    return this.decideAll(runId, [decision]);
  }

  async decideAll(runId: string, decisions: readonly Decision[]): Promise<RunStatus> {
    if (!Array.isArray(decisions)) throw new TypeError("decideAll: decisions must be a list, such as [approve(confirmation)].");
    for (const decision of decisions) checkDecision(decision);
    if (decisions.length > 0) await this.#carrier.turns.take(runId, () => this.#decide(runId, decisions));
    return this.status(runId);
  }

  async #decide(runId: string, decisions: readonly Decision[]): Promise<void> {
    const carried = this.#carrier.carriedRun(runId);
    const check = async (): Promise<void> => this.#check(await this.#carrier.records.read(runId), decisions);
    if (carried !== undefined && (await carried.decide(decisions, check))) return;
    const opened = await this.#carrier.records.openWhenFree(runId);
    try {
      await this.#check(opened, decisions);
      await opened.journal.decide(decisions);
    } catch (error) {
      await opened.journal.close();
      throw error;
    }
    const { recorded } = opened;
    if (recorded === undefined) return opened.journal.close();
    await this.#parts.goOn({ ...opened, recorded: { ...recorded, decisions: [...recorded.decisions, ...decisions] } });
  }

  /** Throws `DecisionError` if one of the decisions doesn't fit a call that waits, or can't be carried out. */
  async #check(content: AcceptedContent, decisions: readonly Decision[]): Promise<void> {
    const { accepted, recorded } = content;
    if (recorded === undefined) throw new DecisionError("unknown_call", `decide: the run "${accepted.runId}" hasn't begun. No call waits.`);
    const before = decisions.find(({ callId }) => recorded.decisions.some((one) => one.callId === callId));
    if (before !== undefined) {
      throw new DecisionError(
        "decided_before",
        `The call "${before.callId}" of run ${accepted.runId} was decided before: the first decision counts.`,
      );
    }
    const state = stateOf(recorded, {});
    checkDecisions(decisions, state);
    refuseLate(decisions, waitingCalls(state));
    if (decisions.every(({ decision }) => decision === "deny")) return;
    if (!this.#maker.knows(accepted.agent)) return checkApprovals(decisions, state, recordedObstacles(state));
    const { agent, options } = await this.#maker.make(content, this.#storage);
    const search = await agent[obstacleSearch](state, options);
    await checkApprovals(decisions, state, search);
  }

  async cancel(runId: string, reason = "The run was cancelled."): Promise<RunStatus> {
    const carried = this.#carrier.carriedRun(runId);
    carried?.cancel(reason);
    await carried?.ended;
    await this.#carrier.turns.take(runId, async () => {
      const opened = await this.#carrier.records.seize(runId);
      try {
        await cancelRecorded(this.#storage, opened, reason, () => saveConversation(this.#storage, opened.journal));
        await opened.journal.close();
      } catch (error) {
        await opened.journal.close().catch(() => undefined);
        // Another process cancels it at the same time.
        if (!(error instanceof LeaseLostError)) throw error;
      }
    });
    return this.status(runId);
  }

  events(runId: string, options: EventsOptions = {}): AsyncIterableIterator<RunEvent, void> {
    checkOptionNames(options, eventsNames, "events");
    // A reader that leaves while it waits needn't wait for the next event.
    const leaving = new AbortController();
    const events = this.#events(runId, options, leaving);
    return {
      next: () => events.next(),
      return: async () => {
        leaving.abort();
        return events.return();
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  async *#events(runId: string, { after, abortSignal }: EventsOptions, leaving: AbortController): AsyncGenerator<RunEvent, void> {
    const unfollow = follow(abortSignal, leaving);
    const feed = this.#carrier.feedOf(runId);
    const leave = this.#parts.listen?.(runId);
    try {
      yield* readEvents(
        {
          runId,
          feed,
          read: async (from) => this.#carrier.records.entries(runId, from),
          news: async (signal) => {
            await this.#carrier.news.wait(runId, pollInterval, signal);
            // A reader connects to another process then.
            return !this.#carrier.hasDrained;
          },
          responseOf: (run) => this.#responseOf(run),
        },
        { ...(after !== undefined && { after }), abortSignal: leaving.signal },
      );
    } finally {
      unfollow();
      leave?.();
      this.#carrier.leaveFeed(runId);
    }
  }

  async drain(options: DrainOptions = {}): Promise<DrainReport> {
    return this.#carrier.drain(deadlineOf(options));
  }

  #responseOf(run: RecordedRun): Promise<AgentResponse> {
    return recordedResponse(run, this.#maker.outputOf(run.agent));
  }
}

/** Milliseconds. Throws `TypeError` or `RangeError` for wrong options. */
export function deadlineOf(options: DrainOptions): number {
  checkOptionNames(options, drainNames, "drain");
  const { deadline = 30_000 } = options;
  if (!(typeof deadline === "number" && deadline >= 0)) {
    throw new RangeError(`drain: deadline is ${deadline}, but is a number of milliseconds: give at least 0.`);
  }
  return Math.min(deadline, longestTimer);
}

const eventsNames: OptionNames<EventsOptions> = { after: true, abortSignal: true };
const resultNames: OptionNames<ResultOptions> = { abortSignal: true };
const pendingNames: OptionNames<PendingQuery> = { runId: true, limit: true };
const drainNames: OptionNames<DrainOptions> = { deadline: true };

/** Milliseconds between two looks at a run that another process may carry on. */
const pollInterval = 1_000;
