import { answerValue, checkDecision, checkKind, confirmationOf, isExpired } from "../../confirmation/internal.js";
import type { Confirmation, Decision } from "../../confirmation/index.js";
import { createRunScope, modelText, PreparedCall, type ToolCallRequest, ToolExecutor } from "../../execution/index.js";
import { lackOf } from "../../execution/internal.js";
import { redact, redactText } from "../../redaction/index.js";
import type { ToolCallRecord, ToolClass, ToolListener, ToolResult } from "../../tool/index.js";
import { WebRequestError } from "../../web/internal.js";
import type { AttemptLine, CallEvent } from "../api.js";
import { readDecision } from "../server/read-decision.js";
import type { JsonObject } from "../server/json-body.js";
import { waitingCall } from "../server/waiting-call.js";

/** Milliseconds in which a person may decide about a call. */
const timeToDecide = 3_600_000;
/** The most calls that wait: the oldest is forgotten. */
const mostWaiting = 100;
/** Characters of base64 of a picture that is sent to the page. */
const mostPicture = 8_000_000;

type Send = (event: CallEvent) => void;

/** A call that waits for a decision. What was shown is what runs. */
interface HeldCall {
  readonly waiting: Confirmation;
  readonly prepared: PreparedCall;
  readonly request: ToolCallRequest;
  readonly executor: ToolExecutor;
  readonly watch: CallWatch;
  readonly abort: AbortController;
}

/** The calls that a person makes in the page, through the executor as a model's. */
export class ToolCalls {
  readonly #tools: readonly ToolClass[];
  readonly #held = new Map<string, HeldCall>();

  constructor(tools: readonly ToolClass[]) {
    this.#tools = tools;
  }

  /** Calls a tool, or holds the call if a person must decide. Sends what happens; the signal cancels the call. */
  async call(tool: ToolClass, given: JsonObject, toolContext: Record<string, unknown>, send: Send, signal: AbortSignal): Promise<void> {
    const request = { id: "call_1", name: tool.definition.name, arguments: { ...given } };
    const watch = new CallWatch();
    const executor = new ToolExecutor({ tools: this.#callable(tool), listeners: [watch.listener] });
    const abort = new AbortController();
    const run = watch.during(send, signal, abort);
    try {
      const prepared = await executor.prepare(request, createRunScope({ toolContext, abortSignal: abort.signal }));
      if (!(prepared instanceof PreparedCall)) return sendResult(prepared, watch, send, lackOf(tool.definition, toolContext));
      if (!prepared.requiresConfirmation) return sendResult(await executor.execute(prepared), watch, send);
      const waiting = confirmationOf(prepared, timeToDecide);
      this.#hold(waiting.id, { waiting, prepared, request, executor, watch, abort });
      send({ type: "waiting", call: waitingCall(waiting) });
    } finally {
      run.end();
    }
  }

  /** Takes the decision about a call that waits: once, and within its time. */
  take(id: string, sent: JsonObject): (send: Send, signal: AbortSignal) => Promise<void> {
    const held = this.#held.get(id);
    if (held === undefined || isExpired(held.waiting)) {
      throw new WebRequestError(404, "This call doesn't wait any more: it was decided, or it waited too long. Call the tool again.");
    }
    const decision = readDecision(sent, { callId: held.request.id, id });
    checkDecision(decision);
    checkKind(decision, held.waiting);
    this.#held.delete(id);
    return (send, signal) => carryOut(decision, held, send, signal);
  }

  #hold(id: string, held: HeldCall): void {
    this.#held.set(id, held);
    const [oldest] = this.#held.keys();
    if (this.#held.size > mostWaiting && oldest !== undefined) this.#held.delete(oldest);
  }

  /** The tool first: of others with the same name, none is called. */
  #callable(tool: ToolClass): readonly ToolClass[] {
    const byName = new Map(this.#tools.map((one) => [one.definition.name, one]));
    byName.set(tool.definition.name, tool);
    return [...byName.values()].filter(({ definition }) => definition.providerTool === undefined);
  }
}

async function carryOut(decision: Decision, held: HeldCall, send: Send, signal: AbortSignal): Promise<void> {
  const { prepared, request, executor, watch, abort } = held;
  const run = watch.during(send, signal, abort);
  try {
    if (decision.decision === "deny") {
      send({
        ...{ type: "result", ok: false, errorType: "confirmation_denied", attachments: [], attempts: [] },
        ...{ error: decision.reason ?? "Denied.", text: "The call was denied: nothing has run." },
      });
      return;
    }
    const settled =
      decision.decision === "approve_edited"
        ? await executor.prepare({ ...request, arguments: decision.arguments }, prepared.scope, { decided: true })
        : prepared;
    if (!(settled instanceof PreparedCall)) return sendResult(settled, watch, send);
    settled.requiresConfirmation = false;
    if (decision.decision === "answer") settled.answer = { value: answerValue(settled.id, decision.value) };
    sendResult(await executor.execute(settled), watch, send);
  } finally {
    run.end();
  }
}

/** What the listeners of a call learn, over the requests that it takes. */
class CallWatch {
  readonly records: ToolCallRecord[] = [];
  #send: Send | undefined;
  readonly listener: ToolListener = {
    toolStarted: ({ attempt, parentCallId }) => parentCallId === undefined && this.#send?.({ type: "started", attempt }),
    toolProgress: ({ fraction, message }) =>
      this.#send?.({ type: "progress", fraction, ...(message !== undefined && { message: redactText(message) }) }),
    log: ({ level, message, details }) =>
      this.#send?.({ type: "log", level, message: redactText(message), ...(details !== undefined && { details: redact(details) }) }),
    toolFinished: (record) => record.parentCallId === undefined && this.records.push(record),
  };

  /** Sends events, and cancels the call with the signal, until the request has ended. */
  during(send: Send, signal: AbortSignal, abort: AbortController): { end(): void } {
    this.#send = send;
    const cancel = (): void => abort.abort(signal.reason);
    signal.addEventListener("abort", cancel, { once: true });
    return { end: () => signal.removeEventListener("abort", cancel) };
  }
}

/** `lack`: what the context lacks, if the tool may not be called. */
function sendResult(result: ToolResult, { records }: CallWatch, send: Send, lack?: string): void {
  const { data, error, errorType, attachments = [] } = result;
  send({
    type: "result",
    ok: error === undefined,
    ...(error === undefined ? { data: data ?? null } : { error: redactText(error), errorType }),
    text: modelText(result),
    attachments: attachments.filter((one) => one.data.length <= mostPicture),
    attempts: records.map(attemptLine),
    ...(lack !== undefined && { lack }),
  });
}

const attemptLine = ({ attempt, startedAt, duration, input, result, stack, repairs = [] }: ToolCallRecord): AttemptLine => ({
  ...{ attempt, startedAt, duration, input, repairs },
  ...(result.error !== undefined && { error: result.error, errorType: result.errorType }),
  ...(stack !== undefined && { stack }),
});
