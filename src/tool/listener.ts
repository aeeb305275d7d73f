import type { Repair } from "../schema/index.js";
import type { ToolResult } from "./tool-result.js";

/** One attempt at a tool call, as it is logged and traced: redacted, complete, JSON (seed 000, FR-025 and FR-037a). */
export interface ToolCallRecord {
  readonly runId: string;
  readonly callId: string;
  readonly tool: string;
  readonly agent?: string;
  readonly attempt: number;
  /** The validated arguments, or the raw ones where they never became valid; secrets redacted. */
  readonly input: unknown;
  readonly result: ToolResult;
  readonly repairs?: readonly Repair[];
  /** Milliseconds from the start of the attempt to its result. */
  readonly duration: number;
}

/** Watches tool calls. A listener that throws is reported as a process warning and never disturbs the call. */
export interface ToolListener {
  readonly toolStarted?: (event: {
    readonly runId: string;
    readonly callId: string;
    readonly tool: string;
    readonly attempt: number;
    readonly input: unknown;
  }) => void;
  readonly toolProgress?: (event: {
    readonly runId: string;
    readonly callId: string;
    readonly tool: string;
    readonly fraction: number;
    readonly message?: string;
  }) => void;
  readonly toolFinished?: (record: ToolCallRecord) => void;
  /** A tool that overran its deadline, or was cancelled, gave a result after all; the result was dropped. */
  readonly lateResult?: (event: {
    readonly runId: string;
    readonly callId: string;
    readonly tool: string;
    readonly outcome: "returned" | "threw";
  }) => void;
  readonly log?: (entry: {
    readonly level: "debug" | "info" | "warn" | "error";
    readonly message: string;
    readonly runId: string;
    readonly callId: string;
    readonly tool: string;
    readonly details?: Record<string, unknown>;
  }) => void;
}
