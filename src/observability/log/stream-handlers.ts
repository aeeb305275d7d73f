import { printable } from "../../redaction/internal.js";
import type { LogEntry, LogHandler, LogLevel } from "./log-entry.js";

/** A stream to write lines to: `process.stdout`, a file stream, a socket. */
export interface LineStream {
  /** Writes a line and calls `written` when it is done. */
  write(line: string, written: (error?: Error | null) => void): unknown;
  /** Whether the stream is a terminal. */
  readonly isTTY?: boolean;
}

/**
 * Makes a log handler that writes each entry as one line of JSON.
 *
 * ```ts
 * toolLog({ handlers: [jsonLines(createWriteStream("tools.jsonl", { flags: "a" }))] });
 * ```
 *
 * See docs/05-observability.md.
 */
export const jsonLines = (stream: LineStream): LogHandler => lines(stream, toJsonLine);

/** The escapes keep the JSON's meaning: a terminal that shows the line obeys nothing in it. */
export const toJsonLine = (entry: LogEntry): string => `${printable(JSON.stringify(entry))}\n`;

/**
 * Makes a log handler that writes each entry as a line for people:
 * `[2026-03-01T12:00:00.000Z INFO] Agent helper: Tool read_file: Execution completed in 15ms`.
 *
 * Lines are coloured if the stream is a terminal and the variable `NO_COLOR` isn't set. See docs/05-observability.md.
 */
export function colouredText(stream: LineStream): LogHandler {
  const coloured = stream.isTTY === true && (process.env.NO_COLOR ?? "") === "";
  return lines(stream, (entry) => toTextLine(entry, coloured ? inColour : plain));
}

/** `flushLog` rejects with the error of a line that couldn't be written, once. */
function lines(stream: LineStream, toLine: (entry: LogEntry) => string): LogHandler {
  let open = 0;
  let failure: Error | undefined;
  let waiting: (() => void)[] = [];
  const written = (error?: Error | null): void => {
    open -= 1;
    failure ??= error ?? undefined;
    if (open > 0) return;
    for (const wake of waiting) wake();
    waiting = [];
  };
  return {
    logEntry: (entry) => {
      open += 1;
      stream.write(toLine(entry), written);
    },
    flushLog: async () => {
      if (open > 0) await new Promise<void>((resolve) => waiting.push(resolve));
      const error = failure;
      failure = undefined;
      if (error !== undefined) throw error;
    },
  };
}

type Paint = (text: string, colour: keyof typeof colours) => string;

// The codes of ANSI terminals, by what is painted.
const colours = { DEBUG: 90, INFO: 37, WARN: 33, ERROR: 31, agent: 36, tool: 32, timestamp: 34 } satisfies Record<
  LogLevel | string,
  number
>;

const plain: Paint = (text) => text;

const inColour: Paint = (text, colour) => `\u001b[${colours[colour]}m${text}\u001b[39m`;

/** Models and tools write parts of a line: none of them may begin another line, or steer the terminal. */
function toTextLine({ timestamp, level, agentId, toolName, message }: LogEntry, paint: Paint): string {
  const agent = agentId === undefined ? "" : `Agent ${paint(printable(agentId), "agent")}: `;
  const tool = toolName === undefined ? "" : `Tool ${paint(printable(toolName), "tool")}: `;
  return `[${paint(timestamp, "timestamp")} ${paint(level, level)}] ${agent}${tool}${paint(printable(message), level)}\n`;
}
