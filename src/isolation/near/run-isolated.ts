import { type RunElsewhere, readyOf, settledOf, type ToolAttempt } from "../../execution/internal.js";
import type { ToolIsolation } from "../../tool/index.js";
import { originalOf } from "../../tool/internal.js";
import { errorForm, thrownOf } from "../error-form.js";
import type { FarCall, FarMessage } from "../messages.js";
import { returnedOf } from "../result-form.js";
import { contextForm } from "./context-form.js";
import type { Caller, Pool, SentCall } from "./pool.js";
import { poolOfProcesses } from "./process-pool.js";
import { loadThreadPool } from "./thread-pool.js";

/** Milliseconds for code to end by itself after its signal was aborted. */
const grace = 100;
/** The same for the import of a module, which the next call needs. */
const graceOfLoading = 10_000;

/** Runs the code of an attempt in a worker thread or a process. */
export const runIsolated: RunElsewhere = async (attempt) => {
  const { isolated } = attempt.call.definition;
  // The executor asks for isolated tools alone.
  const pool = await poolFor(isolated as ToolIsolation);
  return new Promise((resolve, reject) => new IsolatedCall(attempt, resolve, reject).start(pool));
};

const poolFor = (isolation: ToolIsolation): Pool | Promise<Pool> =>
  isolation.in === "worker" ? loadThreadPool(isolation.module) : poolOfProcesses(isolation.environment ?? []);

class IsolatedCall implements Caller {
  readonly #attempt: ToolAttempt;
  readonly #resolve: (returned: unknown) => void;
  readonly #reject: (error: unknown) => void;
  #sent: SentCall | undefined;
  #isLoading = false;
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(attempt: ToolAttempt, resolve: (returned: unknown) => void, reject: (error: unknown) => void) {
    this.#attempt = attempt;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start(pool: Pool): void {
    const signal = this.#attempt.abortSignal;
    // The executor waits no longer.
    if (signal.aborted) return;
    signal.addEventListener("abort", this, { once: true });
    try {
      this.#sent = pool.run(messageOf(this.#attempt), this);
    } catch (error) {
      this.#end();
      this.#reject(error);
    }
  }

  /** The deadline is over, or the run was cancelled. */
  handleEvent(): void {
    this.#sent?.send({ kind: "abort", reason: errorForm(this.#attempt.abortSignal.reason) });
    this.#killAfter(this.#isLoading ? graceOfLoading : grace);
  }

  #killAfter(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#end();
      this.#sent?.kill();
    }, milliseconds);
    // At the end of the application, its threads and processes end too.
    this.#timer.unref();
  }

  received(message: FarMessage): void {
    if (this.#hasEnded) return;
    switch (message.kind) {
      case "loading":
        this.#isLoading = true;
        if (this.#timer !== undefined) this.#killAfter(graceOfLoading);
        return;
      case "begun":
        this.#attempt.beginElsewhere();
        this.#isLoading = false;
        if (this.#timer !== undefined) this.#killAfter(grace);
        return;
      case "progress":
        this.#attempt.reportProgress(message.fraction, message.message);
        return;
      case "log":
        this.#attempt.reportLog(message.level, message.message, message.details);
        return;
      case "ask":
        void this.#ask(message.id, message.tool, message.input);
        return;
      case "done":
        this.#end();
        this.#sent?.close();
        this.#resolve(returnedOf(message.result));
        return;
      case "failed":
        this.#end();
        if (message.isBroken) this.#sent?.kill();
        else this.#sent?.close();
        // A call that ended before the tool's own code began has nothing to report.
        if (this.#attempt.stopped !== undefined && !this.#attempt.bodyStarted) return;
        this.#reject(thrownOf(message.error));
    }
  }

  lost(reason: Error): void {
    if (this.#hasEnded) return;
    this.#end();
    if (this.#attempt.bodyStarted) this.#attempt.crash();
    this.#reject(reason);
  }

  async #ask(to: number, tool: string, input: Record<string, unknown>): Promise<void> {
    try {
      const value = await this.#attempt.callNamed(tool, input);
      this.#sent?.send({ kind: "answer", to, value });
    } catch (error) {
      this.#sent?.send({ kind: "answer", to, error: errorForm(error) });
    }
  }

  #end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#attempt.abortSignal.removeEventListener("abort", this);
  }
}

function messageOf({ call, number }: ToolAttempt): FarCall {
  const { in: place, module, services } = call.definition.isolated as ToolIsolation;
  const ready = readyOf(call);
  const { input, used } = settledOf(call);
  return {
    place,
    module,
    services,
    className: originalOf(call.bound.toolClass).name,
    toolName: call.name,
    input,
    used,
    isPlain: ready.values === ready.input,
    ...contextForm(call.scope.toolContext),
    runId: call.scope.runId,
    callId: call.id,
    attempt: number,
    maxResultBytes: call.origin.maxResultBytes,
  };
}
