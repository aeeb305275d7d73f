import { type LogEntry, type LogHandler, type LogLevel, logLevels } from "./log-entry.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";

/** Selects log entries: an entry must match every member that is given. See docs/05-observability.md. */
export interface LogFilter {
  /** The agent's name. */
  readonly agentId?: string;
  readonly toolName?: string;
  /** This level and higher ones. */
  readonly minLevel?: LogLevel;
  /** From and to, both inclusive. */
  readonly timeRange?: { readonly from?: Date; readonly to?: Date };
  /** True: only failures (entries whose metadata has an `errorType`). False: only entries without one. */
  readonly hasError?: boolean;
}

/**
 * Makes a log handler that passes on only the entries that match the filter.
 *
 * ```ts
 * toolLog({ handlers: [filtered(jsonLines(errorFile), { minLevel: "WARN" })] });
 * ```
 *
 * Throws `RangeError` for an unknown level or an invalid date. See docs/05-observability.md.
 */
export function filtered(handler: LogHandler, filter: LogFilter): LogHandler {
  const isMeant = meaningOf(filter, "filtered");
  return {
    logEntry: (entry) => {
      if (isMeant(entry)) handler.logEntry(entry);
    },
    flushLog: () => handler.flushLog(),
  };
}

const filterNames: OptionNames<LogFilter> = { agentId: true, toolName: true, minLevel: true, timeRange: true, hasError: true };

/** The filter as a function. `owner` begins the message of an error. */
export function meaningOf(filter: LogFilter, owner: string): (entry: LogEntry) => boolean {
  checkOptionNames(filter, filterNames, owner);
  const { agentId, toolName, minLevel = "DEBUG", timeRange, hasError } = filter;
  if (timeRange !== undefined) checkOptionNames(timeRange, { from: true, to: true }, `${owner}: timeRange`);
  const urgency = logLevels.indexOf(minLevel);
  if (urgency < 0) throw new RangeError(`A log filter's minLevel is "${minLevel}", which isn't one of ${logLevels.join(", ")}.`);
  const from = timeOf(timeRange?.from, "from") ?? Number.NEGATIVE_INFINITY;
  const to = timeOf(timeRange?.to, "to") ?? Number.POSITIVE_INFINITY;
  return (entry) => {
    if (agentId !== undefined && entry.agentId !== agentId) return false;
    if (toolName !== undefined && entry.toolName !== toolName) return false;
    if (hasError !== undefined && (entry.metadata.errorType !== undefined) !== hasError) return false;
    if (logLevels.indexOf(entry.level) < urgency) return false;
    if (timeRange === undefined) return true;
    const time = Date.parse(entry.timestamp);
    return time >= from && time <= to;
  };
}

function timeOf(date: Date | undefined, name: string): number | undefined {
  const time = date?.getTime();
  if (Number.isNaN(time))
    throw new RangeError(`A log filter's timeRange.${name} is an invalid date. Check the text that it was made from.`);
  return time;
}
