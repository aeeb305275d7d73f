import type { Tool, ToolClass, ToolLog } from "../../tool/index.js";
import { isPromiseLike } from "../../tool/internal.js";
import type { CallHost } from "../call-host.js";
import { inspectFirst } from "../container/container.js";
import { runElsewhere } from "../isolated-tools.js";
import { type HeldKeys, type PreparedCall, type RunningCode, readyOf } from "../preparation/prepared-call.js";
import { callEvent, notify } from "../record/notify.js";
import { reportLog, reportProgress } from "../record/tool-reports.js";
import { isoTime } from "../time.js";
import { createCallContext } from "./call-context.js";
import { LimitedWait } from "./limited-wait.js";

/** Milliseconds for an isolated tool to get a thread or process that has loaded it: its timeout is for its code. */
export const timeToStart = 10_000;

/** One run of a tool's body, under its deadline and the run's signal. */
export class ToolAttempt extends LimitedWait implements RunningCode {
  readonly call: PreparedCall;
  readonly number: number;
  readonly held: HeldKeys | undefined;
  readonly fetchedAt: string = isoTime();
  /** Whether the tool's own code began: an instance that can't be made is no attempt of the tool. */
  bodyStarted = false;
  nestedCalls = 0;
  readonly #host: CallHost;
  #controller: AbortController | undefined = undefined;

  constructor(call: PreparedCall, host: CallHost, number: number, held: HeldKeys | undefined) {
    super(call);
    this.call = call;
    this.#host = host;
    this.number = number;
    this.held = held;
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

  /** Makes the instance and runs it. Returns what `call` returned: a value, or a promise to `wait` for. */
  start(): unknown {
    const { answer } = this.call;
    if (answer !== undefined) {
      this.bodyStarted = true;
      return answer.value;
    }
    if (this.call.bound.isElsewhere === true) return runElsewhere(this);
    const instance = this.call.bound.construct();
    if (!isPromiseLike(instance)) return this.#run(instance);
    return instance.then((made) => (this.stopped === undefined ? this.#run(made) : undefined));
  }

  #run(instance: Tool): unknown {
    const { plan } = this.call.bound;
    if (plan.inspect !== undefined) inspectFirst(plan, instance);
    this.bodyStarted = true;
    return plan.run(instance, readyOf(this.call), createCallContext(this));
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

  /** After its end, a call reports no progress. */
  reportProgress(fraction: number, message: string | undefined): void {
    if (this.stopped === undefined) reportProgress(this.call, this.#host.recorder.listeners, fraction, message);
  }

  reportLog(level: keyof ToolLog, message: string, details: Record<string, unknown> | undefined): void {
    reportLog(this.call, this.#host.recorder.listeners, level, message, details);
  }

  callTool(toolClass: ToolClass, input: Record<string, unknown>): Promise<unknown> {
    return this.#host.callNested(this, toolClass, input);
  }

  /** The same for code in another thread or process. */
  callNamed(name: string, input: Record<string, unknown>): Promise<unknown> {
    return this.#host.callNamed(this, name, input);
  }

  /** A thread or process has started, and the tool's code begins there. */
  beginElsewhere(): void {
    this.bodyStarted = true;
    this.restart();
  }

  protected override get startTime(): number {
    return this.call.bound.isElsewhere === true ? timeToStart : 0;
  }

  /** The thread or process ended before the code did: what it did until then isn't known. */
  crash(): void {
    this.stopped ??= "crashed";
  }

  #reportLate(outcome: "returned" | "threw"): void {
    notify(this.#host.recorder.listeners, "lateResult", { ...callEvent(this.call), outcome });
  }
}
