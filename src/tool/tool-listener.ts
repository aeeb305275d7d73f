import type { Repair } from "../schema/index.js";
import type { ToolCategory } from "./tool-definition.js";
import type { ToolResult } from "./tool-result.js";

/** The call that an event of a listener is about. */
export interface ToolCallEvent {
  /** The id of the run. */
  readonly runId: string;
  /** The id of the call, as the model sent it. */
  readonly callId: string;
  /** The tool's name. */
  readonly tool: string;
  /** The agent's name; absent outside an agent. */
  readonly agent?: string;
  /** The labels of the run: `{ tenant: "acme" }`. */
  readonly tags?: Readonly<Record<string, string>>;
  /** The call that made this one, if a tool called another. */
  readonly parentCallId?: string;
}

/** An attempt that begins: the tool's own code runs next. */
export interface ToolAttemptEvent extends ToolCallEvent {
  /** The number of the tool's attempt in the run, from 1. */
  readonly attempt: number;
  readonly category: ToolCategory;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The validated arguments, redacted. */
  readonly input: unknown;
}

/** A finished attempt at a tool call, as it is logged and traced: plain, redacted JSON. See docs/05-observability.md. */
export interface ToolCallRecord extends ToolCallEvent {
  /** The number of the tool's attempt in the run, from 1. */
  readonly attempt: number;
  /** Absent if there is no such tool. */
  readonly category?: ToolCategory;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The validated arguments, or the raw ones if they weren't valid; redacted. */
  readonly input: unknown;
  /** What the model changed since the previous call of the tool in this run, if that call failed. */
  readonly changes?: readonly ArgumentChange[];
  /** The result, redacted. */
  readonly result: ToolResult;
  /** The stack of an error that the tool's own code threw, redacted. */
  readonly stack?: string;
  /** The repairs that made the arguments valid. */
  readonly repairs?: readonly Repair[];
  /** Milliseconds from the start of the attempt to its result. */
  readonly duration: number;
}

/** One argument that a model changed to try again. */
export interface ArgumentChange {
  /** The path of the value: `items[1].price`. */
  readonly path: string;
  /** Absent if the value is new. */
  readonly from?: unknown;
  /** Absent if the value was removed. */
  readonly to?: unknown;
}

/**
 * Receives the events of tool calls. If a listener throws, the error becomes a process warning, and the call continues. See
 * docs/05-observability.md.
 */
export interface ToolListener {
  /** The tool's own code is about to run. */
  readonly toolStarted?: (event: ToolAttemptEvent) => void;
  /**
   * Called right after `toolStarted` with the same event. It must call `run` once before it returns: `run` starts the tool's code
   * in the current async context, so that its spans become children of your span. If `run` isn't called, the tool runs anyway.
   *
   * ```ts
   * const tracing: ToolListener = { around: (event, run) => storage.run(spanOf(event), run) };
   * ```
   */
  readonly around?: (event: ToolAttemptEvent, run: () => void) => void;
  /** The tool called `context.progress`. `fraction` is 0 to 1. */
  readonly toolProgress?: (event: ToolCallEvent & { readonly fraction: number; readonly message?: string }) => void;
  /** An attempt ended, or a call was rejected before its tool ran. */
  readonly toolFinished?: (record: ToolCallRecord) => void;
  /** A tool that timed out or was cancelled returned or threw later. Its result was dropped. */
  readonly lateResult?: (event: ToolCallEvent & { readonly outcome: "returned" | "threw" }) => void;
  /** The tool called `context.log`. */
  readonly log?: (
    entry: ToolCallEvent & {
      readonly level: "debug" | "info" | "warn" | "error";
      readonly message: string;
      readonly details?: Record<string, unknown>;
    },
  ) => void;
}
