import type { Repair } from "../schema/index.js";
import type { ToolCategory } from "./tool-definition.js";
import type { ToolResult } from "./tool-result.js";

/** Which call an event is about. */
export interface ToolCallEvent {
  readonly runId: string;
  readonly callId: string;
  readonly tool: string;
  readonly agent?: string;
  /** What the application said of the run: `{ tenant: "acme" }`. */
  readonly tags?: Readonly<Record<string, string>>;
  /** The call that made this one, where a tool called another. */
  readonly parentCallId?: string;
}

/** An attempt that begins: the tool's own code runs next. */
export interface ToolAttemptEvent extends ToolCallEvent {
  /** From 1, per tool and run. */
  readonly attempt: number;
  readonly category: ToolCategory;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The validated arguments; secrets redacted. */
  readonly input: unknown;
}

/** One attempt at a tool call, as it is logged and traced: redacted, complete, JSON. */
export interface ToolCallRecord extends ToolCallEvent {
  readonly attempt: number;
  /** Absent where no tool of that name may be called. */
  readonly category?: ToolCategory;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The validated arguments, or the raw ones where they never became valid; secrets redacted. */
  readonly input: unknown;
  /** What is other than in the call before, where that call of the same tool in the run failed. */
  readonly changes?: readonly ArgumentChange[];
  readonly result: ToolResult;
  /** Where the tool's own code threw an error: its stack, for logs; secrets redacted. */
  readonly stack?: string;
  readonly repairs?: readonly Repair[];
  /** Milliseconds from the start of the attempt to its result. */
  readonly duration: number;
}

/** One value of the arguments that a model changed to try again: `path` as in `items[1].price`. */
export interface ArgumentChange {
  readonly path: string;
  /** Absent where the value is new. */
  readonly from?: unknown;
  /** Absent where the value was left out. */
  readonly to?: unknown;
}

/** Watches tool calls. A listener that throws is reported as a process warning and never disturbs the call. */
export interface ToolListener {
  readonly toolStarted?: (event: ToolAttemptEvent) => void;
  /**
   * Called right after `toolStarted`, with the same event, and calls `run` once before it returns: `run` begins the
   * tool's code, which inherits the async context that it is called in. This is how what a tool does becomes a child of
   * its span. The call's result is not passed through here, and the tool runs even where `run` isn't called.
   *
   * ```ts
   * const tracing: ToolListener = { around: (event, run) => storage.run(spanOf(event), run) };
   * ```
   */
  readonly around?: (event: ToolAttemptEvent, run: () => void) => void;
  readonly toolProgress?: (event: ToolCallEvent & { readonly fraction: number; readonly message?: string }) => void;
  readonly toolFinished?: (record: ToolCallRecord) => void;
  /** A tool that overran its deadline, or was cancelled, gave a result after all; the result was dropped. */
  readonly lateResult?: (event: ToolCallEvent & { readonly outcome: "returned" | "threw" }) => void;
  readonly log?: (
    entry: ToolCallEvent & {
      readonly level: "debug" | "info" | "warn" | "error";
      readonly message: string;
      readonly details?: Record<string, unknown>;
    },
  ) => void;
}
