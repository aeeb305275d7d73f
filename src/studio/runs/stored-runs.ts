import { DecidingRuntime } from "../../durable/internal.js";
import type { DecidedCall, PendingItem, RunEvent, Runtime } from "../../durable/index.js";
import type { RunEntry } from "../../loop/internal.js";
import { messageText } from "../../models/index.js";
import { redact, redactText } from "../../redaction/index.js";
import type { JournalStatus, Storage } from "../../storage/index.js";
import { publicEvent, publicResponse } from "../../web/internal.js";
import type { DecidedLine, Inbox, RunDetail, RunLine, StoredEvent, WaitingCall } from "../api.js";
import { type EventQueue, messageOf } from "../server/event-queue.js";
import { readDecisions } from "../server/read-decision.js";
import type { JsonObject } from "../server/json-body.js";
import { waitingCall } from "../server/waiting-call.js";

/** The most runs of each status that are listed. */
const most = 200;
/** The runs whose decisions the inbox shows, and the most decisions. */
const mostDecided = 20;
const statuses: readonly JournalStatus[] = ["waiting", "running", "ended"];

/** The runs of a storage. They are read and decided about. The application alone carries them on, with its runtime if a module exports it. */
export class StoredRuns {
  readonly #storage: Storage;
  readonly #runtime: Runtime;
  readonly #decidedBy: string | undefined;
  /** What was decided of runs, by run and the time of its last change. */
  readonly #decided = new Map<string, readonly DecidedLine[]>();

  constructor({ storage, runtime = new DecidingRuntime(storage), decidedBy }: ShownRuns) {
    this.#storage = storage;
    this.#runtime = runtime;
    this.#decidedBy = decidedBy;
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
    const { agent, status, outcome, pending, decided = [], context, conversation, tags } = await this.#runtime.status(runId);
    return {
      ...{ runId, agent, status, context, waiting: pending.map(asWaiting), decided: decided.map(asDecided) },
      isLeft: (status === "running" || status === "queued") && (await this.#isFree(runId)),
      ...(outcome !== undefined && {
        outcome: { reason: outcome.reason, ...(outcome.detail !== undefined && { detail: redactText(outcome.detail) }) },
      }),
      ...(conversation !== undefined && { conversation }),
      ...(tags !== undefined && { tags }),
    };
  }

  /** Whether no process holds the run. */
  async #isFree(runId: string): Promise<boolean> {
    const free = await this.#storage.journals.list({ status: "running", unleased: true });
    return free.some((head) => head.runId === runId);
  }

  async inbox(): Promise<Inbox> {
    const waiting = (await this.#runtime.pending()).map(asWaiting);
    const latest = (await this.list()).slice(0, mostDecided);
    const decided = await Promise.all(
      latest.map(async ({ runId, updatedAt }) => (await this.#decidedOf(runId, updatedAt)).map((one) => ({ runId, ...one }))),
    );
    const byTime = decided.flat().sort((one, other) => (other.decidedAt ?? 0) - (one.decidedAt ?? 0));
    return { waiting, decided: byTime.slice(0, mostDecided) };
  }

  /** Read once for each change of the run: the page asks every two seconds. */
  async #decidedOf(runId: string, updatedAt: string): Promise<readonly DecidedLine[]> {
    const key = `${updatedAt} ${runId}`;
    const known = this.#decided.get(key);
    if (known !== undefined) return known;
    // A run that no runtime started has no status.
    const { decided = [] } = await this.#runtime.status(runId).catch(() => ({ decided: [] }));
    const lines = decided.map(asDecided);
    this.#decided.set(key, lines);
    const [oldest] = this.#decided.keys();
    if (this.#decided.size > 10 * mostDecided && oldest !== undefined) this.#decided.delete(oldest);
    return lines;
  }

  async decide(runId: string, sent: JsonObject): Promise<RunDetail> {
    const decidedBy = this.#decidedBy;
    const decisions = readDecisions(sent).map((decision) => (decidedBy === undefined ? decision : { ...decision, decidedBy }));
    await this.#runtime.decideAll(runId, decisions);
    return this.detail(runId);
  }

  /** Sends what happened, and what happens until the run has ended or the reader leaves. */
  async follow(runId: string, after: string | undefined, queue: EventQueue, abortSignal: AbortSignal): Promise<void> {
    if (after === undefined) await this.#sendPrompt(runId, queue);
    const events = this.#runtime.events(runId, { abortSignal, ...(after !== undefined && { after }) });
    for await (const { event, ...place } of events) queue.push({ ...place, event: shown(event) } satisfies StoredEvent);
  }

  /** What the run was started with: its events don't have it. */
  async #sendPrompt(runId: string, queue: EventQueue): Promise<void> {
    // Runtimes write the journals.
    const [first] = (await this.#storage.journals.read(runId)) as readonly RunEntry[];
    if (first?.kind !== "accepted") return;
    const { prompt, at } = first;
    queue.push({ event: { type: "user", text: messageText(prompt) }, ...(at !== undefined && { at }) } satisfies StoredEvent);
  }
}

/** The runs of a storage, and who decides about them. */
interface ShownRuns {
  readonly storage: Storage;
  /** The runtime that a module exports. */
  readonly runtime?: Runtime | undefined;
  readonly decidedBy?: string | undefined;
}

const asWaiting = ({ confirmation, question }: PendingItem): WaitingCall => waitingCall(question ?? confirmation);

const asDecided = ({ reason, arguments: edited, ...decided }: DecidedCall): DecidedLine => ({
  ...decided,
  ...shownWords({ reason, arguments: edited }),
});

/** What a person wrote, without secrets. An object without them is an object. */
const shownWords = ({ reason, arguments: edited }: { readonly [Name in "reason" | "arguments"]?: DecidedCall[Name] | undefined }) => ({
  ...(reason !== undefined && { reason: redactText(reason) }),
  ...(edited !== undefined && { arguments: redact(edited) as Readonly<Record<string, unknown>> }),
});

function shown(event: RunEvent["event"]): StoredEvent["event"] {
  if (event.type === "resumed") return event;
  if (event.type === "decided") return { ...event, ...shownWords(event) };
  if (event.type === "error") return { type: "error", message: messageOf(event.error) };
  if (event.type === "done") {
    return { type: "done", reason: event.response.reason, response: publicResponse(event.response, false) };
  }
  return { ...publicEvent(event) };
}
