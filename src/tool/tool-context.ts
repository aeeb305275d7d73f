import type { ToolClass } from "./tool-class.js";
import type { ToolCallInput, ToolCallOutput } from "./tool-types.js";

/**
 * What a tool's `call` receives besides its arguments: your application's context, the abort signal, ids, progress and log.
 *
 * Your `toolContext` is spread into it. Declare its members once:
 *
 * ```ts
 * declare module "toolwright" {
 *   interface ToolContext { user?: User }
 * }
 * ```
 *
 * Your context can't override the `readonly` members, which the library sets. See docs/02-tools.md.
 */
export interface ToolContext {
  /** The authenticated user. Set by your application. */
  userId?: string;
  /** Credentials for services that the tool calls. Set by your application. */
  auth?: unknown;
  /** A client for services that the tool calls. Set by your application. */
  client?: unknown;
  /** Aborted when the run is cancelled or the timeout is over. Pass it to I/O. */
  readonly abortSignal: AbortSignal;
  /** The id of the run. Calls outside an agent have a run of their own. */
  readonly runId: string;
  /** The id of this call, as the model sent it. */
  readonly callId: string;
  /** The number of the tool's attempt in this run, from 1. */
  readonly attempt: number;
  /** The same for every repetition of this call, also after a crash. Pass it to services that reject duplicates. */
  readonly idempotencyKey: string;
  /** Reports progress to listeners: `progress(0.4, "2 of 5 pages")`. The fraction is limited to 0 to 1. */
  readonly progress: (fraction: number, message?: string) => void;
  /** Writes to the application's log, with run, call and tool. */
  readonly log: ToolLog;
  /**
   * Calls another tool through the executor, with this call's permissions and signal: `await call(PriceTool, { product })`. Throws
   * the errors of `ToolExecutor.run`.
   */
  readonly call: <Type extends ToolClass>(tool: Type, input: ToolCallInput<Type>) => Promise<ToolCallOutput<Type>>;
}

/** Writes to the application's log: `log.info("Fetched", { pages: 2 })`. `details` are logged as JSON, redacted. */
export interface ToolLog {
  readonly debug: (message: string, details?: Record<string, unknown>) => void;
  readonly info: (message: string, details?: Record<string, unknown>) => void;
  readonly warn: (message: string, details?: Record<string, unknown>) => void;
  readonly error: (message: string, details?: Record<string, unknown>) => void;
}
