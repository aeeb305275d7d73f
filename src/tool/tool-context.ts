import type { ToolClass } from "./tool-class.js";
import type { ToolCallInput, ToolCallOutput } from "./tool-types.js";

/**
 * What a call knows about the world around it. The application's own bag
 * (`toolContext` of `generate`) is spread into it; type the bag once by declaration merging:
 *
 * ```ts
 * declare module "toolwright" {
 *   interface ToolContext { user?: User }
 * }
 * ```
 *
 * The read-only members below are the framework's: the bag can't override them.
 */
export interface ToolContext {
  /** Authenticated user, filled by the application. */
  userId?: string;
  /** Credentials for services that the tool calls, filled by the application. */
  auth?: unknown;
  /** Client for services that the tool calls, filled by the application. */
  client?: unknown;
  /** Aborted when the run is cancelled or the deadline passes. Check it before each I/O. */
  readonly abortSignal: AbortSignal;
  /** One per run; calls outside an agent get one of their own. */
  readonly runId: string;
  /** The model's id of this call. */
  readonly callId: string;
  /** 1 for the first attempt of the tool in the run. */
  readonly attempt: number;
  /** The same for every repetition of this call, also after a crash: give it to services that refuse duplicates. */
  readonly idempotencyKey: string;
  /** Reports progress to listeners: `progress(0.4, "2 of 5 pages")`. A fraction outside 0 to 1 counts as the nearer of them. */
  readonly progress: (fraction: number, message?: string) => void;
  /** Writes to the application's log, tagged with run, call and tool. */
  readonly log: ToolLog;
  /** Calls another tool through the executor, with this call's permissions and signal. Throws typed errors. */
  readonly call: <Type extends ToolClass>(tool: Type, input: ToolCallInput<Type>) => Promise<ToolCallOutput<Type>>;
}

export interface ToolLog {
  readonly debug: (message: string, details?: Record<string, unknown>) => void;
  readonly info: (message: string, details?: Record<string, unknown>) => void;
  readonly warn: (message: string, details?: Record<string, unknown>) => void;
  readonly error: (message: string, details?: Record<string, unknown>) => void;
}
