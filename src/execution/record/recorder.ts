import { redact, redactText } from "../../redaction/index.js";
import { redactMalformed } from "../../redaction/internal.js";
import type { Repair } from "../../schema/index.js";
import type { ToolAttemptEvent, ToolCallRecord, ToolFailure, ToolListener, ToolResult } from "../../tool/index.js";
import type { ToolAttempt } from "../attempt/tool-attempt.js";
import type { AttemptLedger } from "../attempt-ledger.js";
import { type IncomingCall, settledOf } from "../preparation/prepared-call.js";
import { isFailure, stackOf } from "../result/failure.js";
import { normalise } from "../result/normalise.js";
import { argumentChanges } from "./argument-changes.js";
import { callEvent, notify } from "./notify.js";
import type { Around } from "./surround.js";

// Records are written member by member: on Node 20, spreading into a literal that has more costs microseconds.
type Draft = { -readonly [Name in keyof ToolCallRecord]: ToolCallRecord[Name] };

/** The start of an attempt, kept until its end. */
export interface StartedRecord {
  readonly event: ToolAttemptEvent;
  /** By `performance.now()`. */
  readonly startedAt: number;
}

/** Sends the records of all attempts to listeners, redacted. Costs nothing without listeners. */
export class Recorder {
  readonly listeners: readonly ToolListener[];
  readonly #surrounding: readonly ToolListener[];
  /** Whether attempts have a listener. Progress and log entries don't come here. */
  readonly #hearsAttempts: boolean;
  /** Whether a record of the end of an attempt has a reader. */
  readonly #hearsEnds: boolean;
  /** By run and tool, the arguments of the last call if it failed. */
  readonly #failedInputs = new WeakMap<AttemptLedger, Map<string, unknown>>();

  constructor(listeners: readonly ToolListener[]) {
    this.listeners = listeners;
    this.#surrounding = listeners.filter(({ around }) => around !== undefined);
    this.#hearsAttempts = listeners.some(({ toolStarted, toolFinished, around }) => (toolStarted ?? toolFinished ?? around) !== undefined);
    this.#hearsEnds = listeners.some(({ toolFinished }) => toolFinished !== undefined);
  }

  /** `undefined` without listeners. The input is copied here, before the tool gets it and may change it. */
  started({ call, number, fetchedAt }: ToolAttempt): StartedRecord | undefined {
    if (!this.#hearsAttempts) return undefined;
    // Spreading into a literal that adds members costs several microseconds on Node 20.
    const event: ToolAttemptEvent = Object.assign(callEvent(call), {
      attempt: number,
      category: call.definition.category,
      startedAt: fetchedAt,
      input: redact(settledOf(call).input),
    });
    notify(this.listeners, "toolStarted", event);
    return { event, startedAt: performance.now() };
  }

  /** The listeners' code around an attempt. */
  aroundsOf({ event }: StartedRecord): readonly Around[] {
    return this.#surrounding.map((listener) => (run: () => void) => listener.around?.(event, run));
  }

  ended({ call }: ToolAttempt, result: ToolResult, started: StartedRecord | undefined): void {
    if (started === undefined || !this.#hearsEnds) return;
    const duration = performance.now() - started.startedAt;
    this.#record(call.scope.ledger, Object.assign({}, started.event, { result, duration }), call.repairs);
  }

  /** A call that ended before its tool began. Gives the failure back. */
  refused({ id, given, scope, origin, bound }: IncomingCall, failure: ToolFailure): ToolFailure {
    if (!this.#hearsEnds) return failure;
    const record: Draft = Object.assign(callEvent({ id, name: failure.tool, scope, origin }), {
      attempt: scope.ledger.nextAttempt(failure.tool),
      startedAt: failure.fetchedAt,
      input: redactedArguments(given),
      result: failure,
      duration: 0,
    });
    if (bound !== undefined) record.category = bound.definition.category;
    this.#record(scope.ledger, record, undefined);
    return failure;
  }

  /** Completes the record, redacts its result, and sends it. */
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

  /** Compares the arguments with those of the failed call before. Keeps them for the next call if this one failed. */
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

/** Refused arguments may be anything: no JSON, or an object that contains itself. */
function redactedArguments(value: unknown): unknown {
  if (typeof value !== "string") return redact(normalise(value));
  try {
    return redact(JSON.parse(value));
  } catch {
    return redactMalformed(value);
  }
}

function redactedResult({ tool, fetchedAt, data, attachments, error, errorType }: ToolResult): ToolResult {
  if (error !== undefined) return { tool, fetchedAt, error: redactText(error), errorType };
  if (attachments === undefined) return { tool, fetchedAt, data: redact(data) };
  // With notes in place of their bytes.
  return { tool, fetchedAt, data: redact(data), attachments: redact(attachments) as typeof attachments };
}

/** A repair names its place beside the values. Without the name of the place, a secret value would not be recognised. */
const redactedRepair = ({ path, from, to }: Repair): Repair => {
  const { [path]: shownFrom } = redact({ [path]: from }) as Record<string, unknown>;
  const { [path]: shownTo } = redact({ [path]: to }) as Record<string, unknown>;
  return { path, from: shownFrom, to: shownTo };
};
