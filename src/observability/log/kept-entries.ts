import type { LogEntry, LogHandler } from "./log-entry.js";
import { type LogFilter, meaningOf } from "./log-filter.js";
import { toJsonLine } from "./stream-handlers.js";
import { checkOptionNames } from "../../tool/internal.js";

/** A log handler that keeps entries in memory, made by `keepEntries`. See docs/05-observability.md. */
export interface KeptEntries extends LogHandler {
  /** Returns the kept entries that match the filter, the oldest first. */
  readonly entries: (filter?: LogFilter) => readonly LogEntry[];
  /** Returns the same entries as JSON lines, for a file. */
  readonly toJsonLines: (filter?: LogFilter) => string;
}

/**
 * Makes a log handler that keeps the last entries in memory: `limit` of them, by default 1,000.
 *
 * ```ts
 * const kept = keepEntries();
 * await agent.generate("...", { listeners: [toolLog({ handlers: [kept] })] });
 * await writeFile("failures.jsonl", kept.toJsonLines({ hasError: true }));
 * ```
 *
 * Throws `RangeError` if `limit` is less than 1. See docs/05-observability.md.
 */
export function keepEntries(options: { readonly limit?: number } = {}): KeptEntries {
  checkOptionNames(options, { limit: true }, "keepEntries");
  const { limit = 1_000 } = options;
  if (!(limit >= 1)) throw new RangeError(`keepEntries: limit is ${limit}, but counts entries: give at least 1.`);
  let kept: LogEntry[] = [];
  const entries = (filter: LogFilter = {}): readonly LogEntry[] => kept.slice(-limit).filter(meaningOf(filter, "entries"));
  return {
    logEntry: (entry) => {
      kept.push(entry);
      // The oldest go many at a time: shifting one for each new one would move all others.
      if (kept.length >= 2 * limit) kept = kept.slice(-limit);
    },
    flushLog: () => undefined,
    entries,
    toJsonLines: (filter) => entries(filter).map(toJsonLine).join(""),
  };
}
