import type { ToolClass, ToolLog } from "../../tool/index.js";
import type { CallHost } from "../call-host.js";
import { reportLog, reportProgress } from "../record/tool-reports.js";
import type { PreparedCall, RunningCode } from "./prepared-call.js";

/** A rule of a tool that is asked about a call. Its context is that of the attempt to come. */
export class RunningRule implements RunningCode {
  readonly call: PreparedCall;
  readonly held = undefined;
  nestedCalls = 0;
  readonly #host: CallHost;
  #signal: AbortSignal | undefined;

  constructor(call: PreparedCall, host: CallHost) {
    this.call = call;
    this.#host = host;
  }

  get number(): number {
    return this.call.scope.ledger.nextAttempt(this.call.name);
  }

  get abortSignal(): AbortSignal {
    this.#signal ??= this.call.scope.abortSignal ?? new AbortController().signal;
    return this.#signal;
  }

  reportProgress(fraction: number, message: string | undefined): void {
    reportProgress(this.call, this.#host.recorder.listeners, fraction, message);
  }

  reportLog(level: keyof ToolLog, message: string, details: Record<string, unknown> | undefined): void {
    reportLog(this.call, this.#host.recorder.listeners, level, message, details);
  }

  callTool(toolClass: ToolClass, input: Record<string, unknown>): Promise<unknown> {
    return this.#host.callNested(this, toolClass, input);
  }
}
