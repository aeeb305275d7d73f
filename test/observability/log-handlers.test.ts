import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import {
  colouredText,
  filtered,
  jsonLines,
  keepEntries,
  type LineStream,
  type LogEntry,
  type LogFilter,
} from "../../src/observability/index.js";

const entry = (changes: Partial<LogEntry> = {}): LogEntry => ({
  level: "INFO",
  timestamp: "2026-03-01T12:00:00.000Z",
  toolName: "read_file",
  message: "Execution completed in 15ms",
  metadata: { runId: "run_1", duration_ms: 15.25 },
  ...changes,
});

/** A stream that keeps what is written, and says of each line that it was written when `finish` is called. */
function lines(isTTY = false) {
  const written: string[] = [];
  const callbacks: ((error?: Error | null) => void)[] = [];
  const stream: LineStream = {
    isTTY,
    write: (line, done) => {
      written.push(line);
      callbacks.push(done);
    },
  };
  const finish = (error?: Error) => {
    for (const callback of callbacks.splice(0)) callback(error);
  };
  return { written, stream, finish };
}

describe("jsonLines", () => {
  it("writes each entry as one line of JSON, to a file for example", async () => {
    const folder = mkdtempSync(join(tmpdir(), "log-"));
    const file = join(folder, "tools.jsonl");
    const stream = createWriteStream(file);
    const handler = jsonLines(stream);
    const entries = [entry({ message: "two\nlines" }), entry({ level: "ERROR" })];
    entries.forEach(handler.logEntry);
    await handler.flushLog();
    const text = readFileSync(file, "utf8");
    stream.end();
    rmSync(folder, { recursive: true });
    expect(text.endsWith("\n")).toBe(true);
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(entries);
  });

  it("flushes when the last line was written, and at once if none is open", async () => {
    const { stream, finish } = lines();
    const handler = jsonLines(stream);
    await handler.flushLog();
    handler.logEntry(entry());
    let flushed = false;
    const flush = Promise.resolve(handler.flushLog()).then(() => {
      flushed = true;
    });
    await new Promise(setImmediate);
    expect(flushed).toBe(false);
    finish();
    await flush;
  });

  it("says once, when flushed, why a line couldn't be written", async () => {
    const { stream, finish } = lines();
    const handler = jsonLines(stream);
    handler.logEntry(entry());
    finish(new Error("disk full"));
    await expect(handler.flushLog()).rejects.toThrow("disk full");
    await expect(handler.flushLog()).resolves.toBeUndefined();
  });
});

describe("colouredText", () => {
  const withoutColourSettings = { ...process.env };
  afterEach(() => {
    process.env = { ...withoutColourSettings };
  });

  function textOf(given: LogEntry, isTTY: boolean, noColor: string) {
    process.env.NO_COLOR = noColor;
    const { stream, written } = lines(isTTY);
    colouredText(stream).logEntry(given);
    return written.join("");
  }

  it("writes a line for people, with time, level, agent and tool", () => {
    expect(textOf(entry(), false, "")).toBe("[2026-03-01T12:00:00.000Z INFO] Tool read_file: Execution completed in 15ms\n");
    expect(textOf(entry({ agentId: "helper" }), false, "")).toBe(
      "[2026-03-01T12:00:00.000Z INFO] Agent helper: Tool read_file: Execution completed in 15ms\n",
    );
  });

  it.each([
    ["DEBUG", 90],
    ["INFO", 37],
    ["WARN", 33],
    ["ERROR", 31],
  ] as const)("paints %s on a terminal, the agent cyan, the tool green, the time blue", (level, colour) => {
    const paint = (code: number, text: string) => `\u001b[${code}m${text}\u001b[39m`;
    expect(textOf(entry({ level, agentId: "helper", message: "ended" }), true, "")).toBe(
      `[${paint(34, "2026-03-01T12:00:00.000Z")} ${paint(colour, level)}] Agent ${paint(36, "helper")}: Tool ${paint(32, "read_file")}: ${paint(colour, "ended")}\n`,
    );
  });

  it("paints nothing if NO_COLOR is set, or if the stream is no terminal", () => {
    expect(textOf(entry(), true, "1")).not.toContain("\u001b");
    expect(textOf(entry(), false, "")).not.toContain("\u001b");
  });

  it("lets no tool or model begin a line of its own, or steer the terminal", () => {
    expect(textOf(entry({ message: "a\n[2026 ERROR] forged\r\u001b[2J\u202e", toolName: "x\ny" }), true, "1")).toBe(
      "[2026-03-01T12:00:00.000Z INFO] Tool x\\ny: a\\n[2026 ERROR] forged\\u000d\\u001b[2J\\u202e\n",
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (message) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that must not pass.
        expect(textOf(entry({ message }), false, "").slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      }),
    );
  });
});

describe("a filter (seed 000, FR-029)", () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute));
  const kept = keepEntries();
  for (const [minute, changes] of [
    { level: "DEBUG", agentId: "a", toolName: "one" },
    { level: "INFO", agentId: "a", toolName: "two" },
    { level: "WARN", agentId: "b", toolName: "one" },
    { level: "ERROR", agentId: "b", metadata: { runId: "r", errorType: "execution_error" } },
  ].entries()) {
    kept.logEntry(entry({ timestamp: at(minute).toISOString(), ...(changes as Partial<LogEntry>) }));
  }

  it.each<[string, LogFilter, string[]]>([
    ["an agent", { agentId: "a" }, ["DEBUG", "INFO"]],
    ["a tool", { toolName: "one" }, ["DEBUG", "WARN"]],
    ["a level and the more urgent ones", { minLevel: "WARN" }, ["WARN", "ERROR"]],
    ["a time, both ends included", { timeRange: { from: at(1), to: at(2) } }, ["INFO", "WARN"]],
    ["a time without an end", { timeRange: { from: at(3) } }, ["ERROR"]],
    ["what failed", { hasError: true }, ["ERROR"]],
    ["what didn't fail", { hasError: false }, ["DEBUG", "INFO", "WARN"]],
    ["all that is asked for at once", { agentId: "b", toolName: "one", hasError: false }, ["WARN"]],
    ["everything, where nothing is asked for", {}, ["DEBUG", "INFO", "WARN", "ERROR"]],
  ])("finds %s", (_what, filter, levels) => {
    expect(kept.entries(filter).map(({ level }) => level)).toEqual(levels);
    const passed = keepEntries();
    kept.entries().forEach(filtered(passed, filter).logEntry);
    expect(passed.entries()).toEqual(kept.entries(filter));
  });

  it("exports what it finds as JSON lines", () => {
    const [line, rest] = kept.toJsonLines({ hasError: true }).split("\n");
    expect(JSON.parse(line ?? "")).toMatchObject({ level: "ERROR", metadata: { errorType: "execution_error" } });
    expect(rest).toBe("");
  });

  it("refuses a level and a time that are none", () => {
    expect(() => filtered(kept, { minLevel: "LOUD" as never })).toThrow(
      'minLevel is "LOUD", which isn\'t one of DEBUG, INFO, WARN, ERROR.',
    );
    expect(() => filtered(kept, { timeRange: { from: new Date("soon") } })).toThrow("timeRange.from is an invalid date");
  });

  it("flushes the handler behind it", async () => {
    const { stream, finish } = lines();
    const handler = filtered(jsonLines(stream), {});
    handler.logEntry(entry());
    finish(new Error("disk full"));
    await expect(handler.flushLog()).rejects.toThrow("disk full");
  });
});

describe("keepEntries", () => {
  it("keeps the last entries up to its limit, in order", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 0, max: 40 }), (limit, count) => {
        const kept = keepEntries({ limit });
        const all = Array.from({ length: count }, (_, index) => entry({ message: String(index) }));
        all.forEach(kept.logEntry);
        expect(kept.entries()).toEqual(all.slice(-limit));
      }),
    );
  });

  it("refuses a limit that keeps nothing", () => {
    expect(() => keepEntries({ limit: 0 })).toThrow("limit is 0, but counts entries: give at least 1.");
  });
});
