import { messageOfThrown } from "../../execution/internal.js";
import { builtin } from "../../platform/index.js";
import { loggedError, warnProcess } from "../../redaction/internal.js";
import type { FarCall, FarMessage, NearMessage } from "../messages.js";

/** Who made a call, and waits for it. */
export interface Caller {
  received(message: FarMessage): void;
  /** The thread or process has ended, or couldn't be started. */
  lost(reason: Error): void;
}

/** A call that was given to a pool. */
export interface SentCall {
  send(message: NearMessage): void;
  /** Ends the thread or process of the call, or its waiting for one. The caller isn't called any more. */
  kill(): void;
  /** The call has ended: its thread or process is free. */
  close(): void;
}

/** Threads or processes, each of which runs one call at a time. Idle ones don't keep the application alive. */
export interface Pool {
  run(call: FarCall, caller: Caller): SentCall;
}

/** The most threads, and the most processes of one environment. A tool that waits for others occupies one too. */
export const mostAtOnce = (): number => Math.max(4, builtin("node:os").availableParallelism());

/** Milliseconds after which an idle thread or process ends. */
export const longestIdle = 30_000;

/** The error of a call during which code threw that the call didn't wait for. */
export const strayError = (error: unknown): Error =>
  new Error(`The tool threw outside of its call: ${messageOfThrown(error).replace(/\.?$/, ".")}`, {
    cause: error,
  });

/** Reports what code of a tool threw after its call, when no call could fail for it. */
export const warnOfStray = (error: unknown): void => warnProcess(`Code of an isolated tool threw outside of a call: ${loggedError(error)}`);
