import { redact, type ToolCallRecord, type ToolFailure, type ToolListener, type ToolResult } from "../tool/index.js";
import { notify, redactedArguments } from "./notify.js";
import type { ToolCallRequest } from "./prepared-call.js";
import type { RunScope } from "./run-scope.js";
import type { ToolAttempt } from "./tool-attempt.js";

/** Tells listeners of every attempt, redacted (seed 000, FR-025 and FR-037a). Costs nothing where nobody listens. */
export class Recorder {
  readonly listeners: readonly ToolListener[];

  constructor(listeners: readonly ToolListener[]) {
    this.listeners = listeners;
  }

  /** The time by which `ended` measures; 0 where nobody listens. */
  started(attempt: ToolAttempt): number {
    if (this.listeners.length === 0) return 0;
    const { id, name, scope, input } = attempt.call;
    notify(this.listeners, "toolStarted", { runId: scope.runId, callId: id, tool: name, attempt: attempt.number, input: redact(input) });
    return performance.now();
  }

  ended(attempt: ToolAttempt, result: ToolResult, startedAt: number): void {
    if (this.listeners.length === 0) return;
    const { id, scope, input, repairs } = attempt.call;
    this.#record({ id, name: attempt.call.name, arguments: input }, scope, {
      attempt: attempt.number,
      result,
      duration: performance.now() - startedAt,
      ...(repairs === undefined ? {} : { repairs }),
    });
  }

  /** A call that ended before its tool began. Gives the failure back. */
  refused(request: ToolCallRequest, scope: RunScope, failure: ToolFailure): ToolFailure {
    if (this.listeners.length > 0) {
      this.#record(request, scope, { attempt: scope.ledger.nextAttempt(failure.tool), result: failure, duration: 0 });
    }
    return failure;
  }

  #record(request: ToolCallRequest, scope: RunScope, rest: Pick<ToolCallRecord, "attempt" | "result" | "duration" | "repairs">): void {
    notify(this.listeners, "toolFinished", {
      runId: scope.runId,
      callId: request.id,
      tool: rest.result.tool,
      ...(scope.agent === undefined ? {} : { agent: scope.agent }),
      ...rest,
      input: redactedArguments(request.arguments),
      // Redaction keeps the shape of what it copies.
      result: redact(rest.result) as ToolResult,
      ...(rest.repairs === undefined ? {} : { repairs: redact(rest.repairs) as NonNullable<ToolCallRecord["repairs"]> }),
    });
  }
}
