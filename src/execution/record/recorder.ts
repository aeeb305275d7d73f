import type { Repair } from "../../schema/index.js";
import { redact, redactText } from "../../redaction/index.js";
import type { ToolAttemptEvent, ToolCallRecord, ToolCategory, ToolFailure, ToolListener, ToolResult } from "../../tool/index.js";
import { argumentChanges } from "./argument-changes.js";
import type { AttemptLedger } from "../attempt-ledger.js";
import { callEvent } from "./call-event.js";
import { isFailure, stackOf } from "../failure.js";
import { notify, redactedArguments } from "./notify.js";
import { type CallOrigin, settledOf, type ToolCallRequest } from "../prepared-call.js";
import type { RunScope } from "../run-scope.js";
import { surround } from "./surround.js";
import type { ToolAttempt } from "../tool-attempt.js";

// Records are written member by member: on Node 20, spreading into a literal that has more costs microseconds.
type Draft = { -readonly [Name in keyof ToolCallRecord]: ToolCallRecord[Name] };

/** What is kept of the start of an attempt until its end. */
export interface StartedRecord {
  readonly event: ToolAttemptEvent;
  /** By `performance.now()`. */
  readonly startedAt: number;
}

/** Tells listeners of every attempt, redacted. Costs nothing where nobody listens. */
export class Recorder {
  readonly listeners: readonly ToolListener[];
  readonly #surrounding: readonly ToolListener[];
  /** Whether attempts have a listener: progress and logs are told elsewhere. */
  readonly #hearsAttempts: boolean;
  /** Whether a record of the end of an attempt has a reader. */
  readonly #hearsEnds: boolean;
  /** By run and tool, the arguments of the last call, where it failed. */
  readonly #failedInputs = new WeakMap<AttemptLedger, Map<string, unknown>>();

  constructor(listeners: readonly ToolListener[]) {
    this.listeners = listeners;
    this.#surrounding = listeners.filter(({ around }) => around !== undefined);
    this.#hearsAttempts = listeners.some(({ toolStarted, toolFinished, around }) => (toolStarted ?? toolFinished ?? around) !== undefined);
    this.#hearsEnds = listeners.some(({ toolFinished }) => toolFinished !== undefined);
  }

  /** `undefined` where nobody listens. The input is copied here, before the tool gets it and may change it. */
  started({ call, number, fetchedAt }: ToolAttempt): StartedRecord | undefined {
    if (!this.#hearsAttempts) return undefined;
    // Spreading into a literal that adds members costs several microseconds on Node 20.
    const event: ToolAttemptEvent = Object.assign(callEvent(call.id, call.name, call.scope, call.origin), {
      attempt: number,
      category: call.definition.category,
      startedAt: fetchedAt,
      input: redact(settledOf(call).input),
    });
    notify(this.listeners, "toolStarted", event);
    return { event, startedAt: performance.now() };
  }

  /** Begins the tool's code: inside what listeners put around it, where they do. */
  begin(attempt: ToolAttempt, started: StartedRecord | undefined): unknown {
    if (started === undefined || this.#surrounding.length === 0) return attempt.start();
    const arounds = this.#surrounding.map((listener) => (run: () => void) => listener.around?.(started.event, run));
    return surround("around", arounds, () => attempt.start());
  }

  ended({ call }: ToolAttempt, result: ToolResult, started: StartedRecord | undefined): void {
    if (started === undefined || !this.#hearsEnds) return;
    const duration = performance.now() - started.startedAt;
    this.#record(call.scope.ledger, Object.assign({}, started.event, { result, duration }), call.repairs);
  }

  /** A call that ended before its tool began. Gives the failure back. */
  refused(
    request: ToolCallRequest,
    scope: RunScope,
    origin: CallOrigin,
    category: ToolCategory | undefined,
    failure: ToolFailure,
  ): ToolFailure {
    if (!this.#hearsEnds) return failure;
    const record: Draft = Object.assign(callEvent(request.id, failure.tool, scope, origin), {
      attempt: scope.ledger.nextAttempt(failure.tool),
      startedAt: failure.fetchedAt,
      input: redactedArguments(request.arguments),
      result: failure,
      duration: 0,
    });
    if (category !== undefined) record.category = category;
    this.#record(scope.ledger, record, undefined);
    return failure;
  }

  /** Completes the record, redacts its result, and tells it. */
  #record(ledger: AttemptLedger, record: Draft, repairs: readonly Repair[] | undefined): void {
    const { result } = record;
    const changes = this.#changes(ledger, record);
    if (changes !== undefined) record.changes = changes;
    const stack = isFailure(result) ? stackOf(result) : undefined;
    if (stack !== undefined) record.stack = redactText(stack);
    if (repairs !== undefined) record.repairs = repairs.map(redactedRepair);
    record.result = redactedResult(result);
    notify(this.listeners, "toolFinished", record);
  }

  /** Compares the arguments to those of the failed call before, and keeps them for the next where this one failed. */
  #changes(ledger: AttemptLedger, { tool, input, result }: ToolCallRecord): ToolCallRecord["changes"] {
    let inputs = this.#failedInputs.get(ledger);
    const before = inputs?.get(tool);
    const changes = before === undefined ? undefined : argumentChanges(before, input);
    if (isFailure(result)) {
      if (inputs === undefined) this.#failedInputs.set(ledger, (inputs = new Map<string, unknown>()));
      inputs.set(tool, input);
    } else inputs?.delete(tool);
    return changes;
  }
}

const redactedResult = ({ tool, fetchedAt, data, error, errorType }: ToolResult): ToolResult =>
  error === undefined ? { tool, fetchedAt, data: redact(data) } : { tool, fetchedAt, error: redactText(error), errorType };

/** A repair names its place beside the values, so that the values alone don't tell that they are secret. */
const redactedRepair = ({ path, from, to }: Repair): Repair => {
  const { [path]: shownFrom } = redact({ [path]: from }) as Record<string, unknown>;
  const { [path]: shownTo } = redact({ [path]: to }) as Record<string, unknown>;
  return { path, from: shownFrom, to: shownTo };
};
