import type { Fault, Result } from "../schema/index.js";
import { withRoundedIntegers } from "../schema/internal.js";
import { redact, redactText } from "../redaction/index.js";
import type { Tool, ToolCallEvent, ToolClass, ToolContext, ToolFailure, ToolListener, ToolLog, ToolResult } from "../tool/index.js";
import { hideSecretsIn } from "../redaction/internal.js";
import { isPromiseLike, isToolResponse, timeoutMessage } from "../tool/internal.js";
import { createCallContext } from "./call-context.js";
import { callEvent } from "./record/call-event.js";
import { capText } from "./result/cap.js";
import { cancelledBefore, capError, failed, invalidOutput, messageOfThrown, thrown } from "./failure.js";
import { inspectFirst } from "./container/first-instance.js";
import { LimitedWait } from "./limited-wait.js";
import { dataText, readAsJson } from "./result/model-text.js";
import { normalise } from "./result/normalise.js";
import { notify } from "./record/notify.js";
import { type PreparedCall, readyOf } from "./prepared-call.js";
import { adviceOnStopped } from "./repetition.js";
import { capData, toJson } from "./result/returned-value.js";
import { isoTime } from "./time.js";

/** What an attempt needs of the executor that makes it. */
export interface AttemptHost {
  readonly listeners: readonly ToolListener[];
  callNested(parent: ToolAttempt, toolClass: ToolClass, input: Record<string, unknown>): Promise<unknown>;
}

/** One run of a tool's body, under its deadline and the run's signal. */
export class ToolAttempt extends LimitedWait {
  readonly call: PreparedCall;
  /** From 1, per tool and run. */
  readonly number: number;
  /** The key of `@exclusive` that the attempt holds. */
  readonly exclusiveKey: string | undefined;
  readonly fetchedAt: string = isoTime();
  /** Whether the tool's own code began: an instance that can't be made is no attempt of the tool. */
  bodyStarted = false;
  /** How many calls of other tools this one made. */
  nestedCalls = 0;
  readonly #host: AttemptHost;
  #controller: AbortController | undefined = undefined;

  constructor(call: PreparedCall, host: AttemptHost, number: number, exclusiveKey: string | undefined) {
    super(call);
    this.call = call;
    this.#host = host;
    this.number = number;
    this.exclusiveKey = exclusiveKey;
  }

  get context(): ToolContext {
    return createCallContext(this);
  }

  /** Made when it is first read: most tools never ask, and a controller costs more than the rest of the call. */
  get abortSignal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      const runSignal = this.call.scope.abortSignal;
      if (this.stopped !== undefined) this.#controller.abort(this.stopReason);
      else if (runSignal?.aborted === true) this.#controller.abort(runSignal.reason);
    }
    return this.#controller.signal;
  }

  /** Makes the instance and runs it. Gives what `call` gave: a value, or a promise to `wait` for. */
  start(): unknown {
    const instance = this.call.bound.construct();
    if (!isPromiseLike(instance)) return this.#run(instance);
    return instance.then((made) => (this.stopped === undefined ? this.#run(made) : undefined));
  }

  #run(instance: Tool): unknown {
    const { plan } = this.call.bound;
    if (plan.inspect !== undefined) inspectFirst(plan, instance);
    this.bodyStarted = true;
    return plan.run(instance, readyOf(this.call), this.context);
  }

  protected override stop(how: "timed out" | "cancelled", reason: unknown): void {
    if (this.stopped !== undefined) return;
    super.stop(how, reason);
    this.#controller?.abort(reason);
    this.pending?.then(
      () => this.#reportLate("returned"),
      () => this.#reportLate("threw"),
    );
  }

  /** The result for what `call` gave: checked, turned into JSON, within the size allowed. */
  succeeded(returned: unknown): ToolResult {
    const { name, bound, origin } = this.call;
    const response = isToolResponse(returned) ? returned : undefined;
    if (response?.kind === "failure") {
      return failed(
        name,
        this.fetchedAt,
        response.errorType ?? "execution_error",
        capText(messageText(response.value), origin.maxResultBytes),
      );
    }
    let { data, size } = toJson(response === undefined ? returned : response.value, origin.maxResultBytes, name);
    if (bound.plan.readOutput !== undefined) {
      const read = bound.plan.readOutput(data);
      if (read.ok) ({ data, size } = toJson(read.value, origin.maxResultBytes, name));
      else if (!fitsRounded(data, read.error, bound.plan.readOutput)) {
        const declaredBy = bound.plan.created === true ? "outputSchema" : "@returns";
        return capError(invalidOutput(name, this.fetchedAt, read.error, declaredBy), origin.maxResultBytes);
      }
    }
    const asJson = response?.kind === "json" && typeof data === "string";
    data = capData(data, size, origin.maxResultBytes);
    if (origin.byCode !== true) data = hideSecretsIn(data);
    const result: ToolResult = { tool: name, fetchedAt: this.fetchedAt, data };
    return asJson ? readAsJson(result) : result;
  }

  /** The result for what `call` threw, or for the end of the waiting. */
  failed(error: unknown): ToolFailure {
    const { name, origin, scope, timeout, definition } = this.call;
    if (this.stopped === "cancelled") {
      if (!this.bodyStarted) return cancelledBefore(name, scope.abortSignal);
      return failed(name, this.fetchedAt, "cancelled", `${cancelledMidway} ${adviceOnStopped(definition)}`, { cause: error });
    }
    if (this.stopped === "timed out") {
      const message = this.bodyStarted ? `${timeoutMessage(timeout)} ${adviceOnStopped(definition)}` : neverMade(timeout);
      return failed(name, this.fetchedAt, "timeout_error", message, { cause: error });
    }
    const failure = this.bodyStarted ? thrown(name, this.fetchedAt, error) : thrown(name, this.fetchedAt, error, "unhandled_error");
    return capError(failure, origin.maxResultBytes);
  }

  /** A report never fails the call: one that says nothing becomes an entry in the log. After its end, a call makes none. */
  reportProgress(fraction: number, message: string | undefined): void {
    const { listeners } = this.#host;
    if (listeners.length === 0 || this.stopped !== undefined) return;
    if (typeof fraction !== "number" || Number.isNaN(fraction)) {
      this.reportLog("warn", `progress takes a fraction from 0 to 1, got ${String(fraction)}. Was something divided by 0?`, undefined);
      return;
    }
    const told = { ...this.#event(), fraction: Math.min(1, Math.max(0, fraction)) };
    notify(listeners, "toolProgress", message === undefined ? told : { ...told, message: shownText(message) });
  }

  reportLog(level: keyof ToolLog, message: string, details: Record<string, unknown> | undefined): void {
    const { listeners } = this.#host;
    if (listeners.length === 0) return;
    const shown = details === undefined ? {} : { details: redact(normalise(details)) as Record<string, unknown> };
    notify(listeners, "log", { ...this.#event(), level, message: shownText(message), ...shown });
  }

  callTool(tool: ToolClass, input: Record<string, unknown>): Promise<unknown> {
    return this.#host.callNested(this, tool, input);
  }

  #reportLate(outcome: "returned" | "threw"): void {
    notify(this.#host.listeners, "lateResult", { ...this.#event(), outcome });
  }

  #event(): ToolCallEvent {
    return callEvent(this.call.id, this.call.name, this.call.scope, this.call.origin);
  }
}

/** Long integers are texts of their digits in a result, which is all that keeps them whole; their schema asks for integers. */
function fitsRounded(data: unknown, faults: readonly Fault[], readOutput: (data: unknown) => Result<unknown, unknown>): boolean {
  // Other texts of digits stay texts. A fault in a union has the path of the union, not that of the text.
  const byFault = withRoundedIntegers(data, new Set(faults.map(({ path }) => path)));
  if (byFault !== undefined && readOutput(byFault).ok) return true;
  const rounded = withRoundedIntegers(data);
  return rounded !== undefined && readOutput(rounded).ok;
}

/** As for a timeout: JavaScript can't stop the tool, so the message claims no more than was done. */
export const cancelledMidway = "Request was cancelled. The tool was told to stop, but may have finished its work.";

/** A tool of plain JavaScript may give anything, an error most of all. */
const messageText = (message: unknown): string =>
  message instanceof Error ? messageOfThrown(message) : dataText(typeof message === "string" ? message : normalise(message));

const shownText = (message: unknown): string => redactText(messageText(message));

const neverMade = (timeout: number): string => `The tool could not be made within its timeout of ${timeout} ms, and was not run.`;
