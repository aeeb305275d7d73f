import { DecidingRuntime } from "../../durable/internal.js";
import type { PendingItem, RunEvent, Runtime } from "../../durable/index.js";
import type { RunEntry } from "../../loop/internal.js";
import { messageText } from "../../models/index.js";
import { redactText } from "../../redaction/index.js";
import type { JournalStatus, Storage } from "../../storage/index.js";
import { publicEvent, publicResponse } from "../../web/internal.js";
import type { RunDetail, RunLine, WaitingCall } from "../api.js";
import { type EventQueue, messageOf } from "../server/event-queue.js";
import { readDecisions } from "../server/read-decision.js";
import type { JsonObject } from "../server/json-body.js";
import { waitingCall } from "../server/waiting-call.js";

/** The most runs of each status that are listed. */
const most = 200;
const statuses: readonly JournalStatus[] = ["waiting", "running", "ended"];

/** The runs of a storage. They are read and decided about. The application alone carries them on, with its runtime if a module exports it. */
export class StoredRuns {
  readonly #storage: Storage;
  readonly #runtime: Runtime;

  constructor(storage: Storage, runtime: Runtime = new DecidingRuntime(storage)) {
    this.#storage = storage;
    this.#runtime = runtime;
  }

  /** The last changed first. */
  async list(): Promise<readonly RunLine[]> {
    const lists = await Promise.all(statuses.map((status) => this.#storage.journals.list({ status, limit: most })));
    return lists
      .flat()
      .map(({ runId, agent, status, updatedAt }) => ({ runId, agent, status, updatedAt }))
      .sort((one, other) => other.updatedAt.localeCompare(one.updatedAt));
  }

  async detail(runId: string): Promise<RunDetail> {
    const { agent, status, outcome, pending, context, conversation, tags } = await this.#runtime.status(runId);
    return {
      ...{ runId, agent, status, context, waiting: pending.map(asWaiting) },
      ...(outcome !== undefined && {
        outcome: { reason: outcome.reason, ...(outcome.detail !== undefined && { detail: redactText(outcome.detail) }) },
      }),
      ...(conversation !== undefined && { conversation }),
      ...(tags !== undefined && { tags }),
    };
  }

  async inbox(): Promise<readonly WaitingCall[]> {
    return (await this.#runtime.pending()).map(asWaiting);
  }

  async decide(runId: string, sent: JsonObject): Promise<RunDetail> {
    await this.#runtime.decideAll(runId, readDecisions(sent));
    return this.detail(runId);
  }

  /** Sends what happened, and what happens until the run has ended or the reader leaves. */
  async follow(runId: string, after: string | undefined, queue: EventQueue, abortSignal: AbortSignal): Promise<void> {
    if (after === undefined) await this.#sendPrompt(runId, queue);
    const events = this.#runtime.events(runId, { abortSignal, ...(after !== undefined && { after }) });
    for await (const { id, event, attempt } of events) queue.push({ id, attempt, at: Date.now(), event: shown(event) });
  }

  /** What the run was started with: its events don't have it. */
  async #sendPrompt(runId: string, queue: EventQueue): Promise<void> {
    const [first] = (await this.#storage.journals.read(runId)) as readonly RunEntry[];
    if (first?.kind === "accepted") queue.push({ event: { type: "user", text: messageText(first.prompt) } });
  }
}

const asWaiting = ({ confirmation, question }: PendingItem): WaitingCall => waitingCall(question ?? confirmation);

function shown(event: RunEvent["event"]): object {
  if (event.type === "resumed") return event;
  if (event.type === "error") return { type: "error", message: messageOf(event.error) };
  if (event.type === "done") {
    return { type: "done", reason: event.response.reason, response: publicResponse(event.response, false) };
  }
  return publicEvent(event);
}
