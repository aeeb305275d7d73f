import type { Repair } from "../schema/index.js";
import { redact, redactText, type ToolCallRecord, type ToolFailure, type ToolListener, type ToolResult } from "../tool/index.js";
import { isFailure } from "./failure.js";
import { notify, redactedArguments } from "./notify.js";
import type { ToolCallRequest } from "./prepared-call.js";
import type { RunScope } from "./run-scope.js";
import type { ToolAttempt } from "./tool-attempt.js";

type RecordedAttempt = Pick<ToolCallRecord, "attempt" | "result" | "duration" | "repairs">;

/** What is kept of the start of an attempt until its end. */
export interface StartedRecord {
  readonly input: unknown;
  readonly startedAt: number;
}

/** Tells listeners of every attempt, redacted (seed 000, FR-025 and FR-037a). Costs nothing where nobody listens. */
export class Recorder {
  readonly listeners: readonly ToolListener[];

  constructor(listeners: readonly ToolListener[]) {
    this.listeners = listeners;
  }

  /** `undefined` where nobody listens. The input is copied here, before the tool gets it and may change it. */
  started(attempt: ToolAttempt): StartedRecord | undefined {
    if (this.listeners.length === 0) return undefined;
    const { id, name, scope } = attempt.call;
    const input = redact(attempt.call.input);
    notify(this.listeners, "toolStarted", { runId: scope.runId, callId: id, tool: name, attempt: attempt.number, input });
    return { input, startedAt: performance.now() };
  }

  ended(attempt: ToolAttempt, result: ToolResult, started: StartedRecord | undefined): void {
    if (started === undefined) return;
    const { id, scope, repairs } = attempt.call;
    const duration = performance.now() - started.startedAt;
    this.#record(id, scope, started.input, { attempt: attempt.number, result, duration, ...(repairs === undefined ? {} : { repairs }) });
  }

  /** A call that ended before its tool began. Gives the failure back. */
  refused(request: ToolCallRequest, scope: RunScope, failure: ToolFailure): ToolFailure {
    if (this.listeners.length > 0) {
      const attempt = scope.ledger.nextAttempt(failure.tool);
      this.#record(request.id, scope, redactedArguments(request.arguments), { attempt, result: failure, duration: 0 });
    }
    return failure;
  }

  #record(callId: string, scope: RunScope, input: unknown, rest: RecordedAttempt): void {
    notify(this.listeners, "toolFinished", {
      runId: scope.runId,
      callId,
      tool: rest.result.tool,
      ...(scope.agent === undefined ? {} : { agent: scope.agent }),
      input,
      ...rest,
      result: redactedResult(rest.result),
      ...(rest.repairs === undefined ? {} : { repairs: rest.repairs.map(redactedRepair) }),
    });
  }
}

const redactedResult = (result: ToolResult): ToolResult =>
  isFailure(result) ? { ...result, error: redactText(result.error) } : { ...result, data: redact(result.data) };

/** A repair names its place beside the values, so that the values alone don't tell that they are secret. */
const redactedRepair = ({ path, from, to }: Repair): Repair => {
  const { [path]: shownFrom } = redact({ [path]: from }) as Record<string, unknown>;
  const { [path]: shownTo } = redact({ [path]: to }) as Record<string, unknown>;
  return { path, from: shownFrom, to: shownTo };
};
