export { type KeptEntries, keepEntries } from "./log/kept-entries.js";
export type { LogEntry, LogHandler, LogLevel, LogMetadata } from "./log/log-entry.js";
export { filtered, type LogFilter } from "./log/log-filter.js";
export { colouredText, jsonLines, type LineStream } from "./log/stream-handlers.js";
export { type ToolLogger, type ToolLogOptions, toolLog } from "./log/tool-log.js";
export { type OpenTelemetryOptions, openTelemetry } from "./open-telemetry/open-telemetry.js";
