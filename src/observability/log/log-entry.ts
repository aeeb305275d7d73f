/** The severity of a log entry, from the lowest to the highest. */
export type LogLevel = "DEBUG" | "INFO" | "WARN" | "ERROR";

/** From the least to the most urgent. */
export const logLevels: readonly LogLevel[] = ["DEBUG", "INFO", "WARN", "ERROR"];

/**
 * One event as plain, redacted JSON: an attempt at a tool call, a model call, the start or end of a run, or a message that a tool
 * logged.
 *
 * See docs/05-observability.md.
 */
export interface LogEntry {
  readonly level: LogLevel;
  /** When it was logged, ISO 8601. */
  readonly timestamp: string;
  /** The agent's name; absent if a tool was called without an agent. */
  readonly agentId?: string;
  readonly toolName?: string;
  /** A text for people: `Execution completed in 15ms`. */
  readonly message: string;
  /** Details of the event. */
  readonly metadata: LogMetadata;
}

/** Details of a log entry. Members that don't apply are absent. */
export interface LogMetadata {
  /** The id of the run. */
  readonly runId: string;
  /** The labels of the run. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Milliseconds, with two decimals. */
  readonly duration_ms?: number;
  /** What a tool received. */
  readonly input?: unknown;
  /** What a tool or a model returned. */
  readonly output?: unknown;
  /** The error message, for people. */
  readonly error?: string;
  /** The kind of error, for programs: the `errorType` of a tool, the name of a model's error, or the outcome of a run. */
  readonly errorType?: string;
  readonly [member: string]: unknown;
}

/** Writes log entries somewhere. Implement it for your own log service. See docs/05-observability.md. */
export interface LogHandler {
  /** Called with each entry. */
  readonly logEntry: (entry: LogEntry) => void;
  /** Resolves when all entries are written. */
  readonly flushLog: () => void | Promise<void>;
}
