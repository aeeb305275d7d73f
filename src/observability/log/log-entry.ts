export type LogLevel = "DEBUG" | "INFO" | "WARN" | "ERROR";

/** From the least to the most urgent. */
export const logLevels: readonly LogLevel[] = ["DEBUG", "INFO", "WARN", "ERROR"];

/**
 * One thing that happened, as plain JSON without secrets: an attempt at a tool call, a model call, the start or the end of
 * a run, or what a tool logged.
 */
export interface LogEntry {
  readonly level: LogLevel;
  /** When it was logged, ISO 8601. */
  readonly timestamp: string;
  /** The agent's name; absent where a tool was called without an agent. */
  readonly agentId?: string;
  readonly toolName?: string;
  /** `Execution completed in 15ms` */
  readonly message: string;
  readonly metadata: LogMetadata;
}

/** What else is known. What doesn't apply is absent. */
export interface LogMetadata {
  readonly runId: string;
  readonly tags?: Readonly<Record<string, string>>;
  /** Milliseconds, to a hundredth. */
  readonly duration_ms?: number;
  /** What a tool got, as far as it was read. */
  readonly input?: unknown;
  /** What a tool or a model gave. */
  readonly output?: unknown;
  /** What went wrong, for people. */
  readonly error?: string;
  /** What went wrong, for programs: the `errorType` of a tool, the name of a model's error, the outcome of a run. */
  readonly errorType?: string;
  readonly [member: string]: unknown;
}

/** Takes log entries to where they are kept. */
export interface LogHandler {
  readonly logEntry: (entry: LogEntry) => void;
  /** Resolves when everything that was logged has arrived. */
  readonly flushLog: () => void | Promise<void>;
}
