import type { Decision } from "../../confirmation/index.js";
import type { AgentListener } from "../../agent/index.js";
import { printable, warnProcess } from "../../redaction/internal.js";
import { redact, redactText } from "../../redaction/index.js";
import type { ToolCallEvent, ToolCallRecord, ToolSuccess } from "../../tool/index.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";
import { redactedArguments } from "../model-content.js";
import { modelFailure } from "../model-failure.js";
import { runFailure } from "../run-failure.js";
import type { LogEntry, LogHandler, LogLevel, LogMetadata } from "./log-entry.js";

/** Options of `toolLog`. */
export interface ToolLogOptions {
  /** The handlers; each receives every entry. Use `filtered` to select entries. */
  readonly handlers: readonly LogHandler[];
}

/** The listener that `toolLog` makes. */
export interface ToolLogger extends AgentListener {
  /** Resolves when every handler has written its entries. Rejects if a handler fails to. */
  readonly flush: () => Promise<void>;
}

/**
 * Makes a listener that logs each attempt at a tool call, each model call, and the start and end of each run, redacted.
 *
 * ```ts
 * const log = toolLog({ handlers: [colouredText(process.stderr), jsonLines(createWriteStream("tools.jsonl"))] });
 * await agent.generate("Weather in Paris?", { listeners: [log] });
 * await log.flush();
 * ```
 *
 * If a handler throws, the error becomes a process warning, and the other handlers continue. See docs/05-observability.md.
 */
export function toolLog(options: ToolLogOptions): ToolLogger {
  checkOptionNames(options, { handlers: true } satisfies OptionNames<ToolLogOptions>, "toolLog");
  const { handlers } = options;
  checkHandlers(handlers);
  const log = (level: LogLevel, subject: Subject, message: string, metadata: LogMetadata): void => {
    const entry: LogEntry = {
      level,
      timestamp: new Date().toISOString(),
      ...(subject.agent !== undefined && { agentId: subject.agent }),
      ...(subject.tool !== undefined && { toolName: subject.tool }),
      message: printable(message),
      metadata,
    };
    for (const handler of handlers) hand(handler, entry);
  };
  return {
    toolFinished: (record) => log(levelOf(record), record, attemptMessage(record), attemptMetadata(record)),
    lateResult: (event) =>
      log("WARN", event, `The tool ${event.outcome} after its call had ended; what it gave was dropped`, callMetadata(event)),
    log: ({ level, message, details, ...event }) =>
      log(levelNames[level], event, message, { ...callMetadata(event), ...(details !== undefined && { details }) }),
    runStarted: (event) =>
      log("INFO", event, event.resumed ? "Run resumed" : "Run started", { ...runMetadata(event), ...decisionMetadata(event.decisions) }),
    modelFinished: (event) => {
      const { model, step, duration, response, error } = event;
      const metadata = { ...runMetadata(event), step, model, duration_ms: rounded(duration) };
      if (response === undefined) {
        const { type, message } = modelFailure(error);
        log("ERROR", event, `Model ${model} failed (${type}) after ${whole(duration)}ms: ${message}`, {
          ...metadata,
          error: message,
          errorType: type,
          ...(error instanceof Error && error.stack !== undefined && { stack: redactText(error.stack) }),
        });
      } else {
        for (const warning of response.warnings ?? []) log("WARN", event, `Model ${model}: ${redactText(warning)}`, metadata);
        log("INFO", event, `Model ${model} answered in ${whole(duration)}ms`, { ...metadata, ...answerMetadata(response) });
      }
    },
    runFinished: (event) => {
      const errorType = runFailure(event);
      const { outcome, steps, usage } = event;
      const detail = outcome?.detail === undefined ? undefined : redactText(outcome.detail);
      const message = `Run ended after ${steps} ${steps === 1 ? "step" : "steps"}: ${outcome?.reason ?? "code threw an error"}`;
      log(errorType === undefined ? "INFO" : "ERROR", event, detail === undefined ? message : `${message}. ${detail}`, {
        ...runMetadata(event),
        steps,
        usage,
        ...(outcome !== undefined && { outcome: outcome.reason }),
        ...(errorType !== undefined && { errorType, ...(detail !== undefined && { error: detail }) }),
      });
    },
    flush: async () => {
      await Promise.all(handlers.map(async (handler) => handler.flushLog()));
    },
  };
}

/** From JavaScript they may be anything; without this check, the mistake would show only when the first entry is lost. */
function checkHandlers(handlers: unknown): void {
  if (Array.isArray(handlers) && handlers.every(isHandler)) return;
  throw new TypeError(
    "toolLog takes a list of handlers, each with logEntry and flushLog: toolLog({ handlers: [jsonLines(process.stdout)] }).",
  );
}

function isHandler(value: unknown): value is LogHandler {
  const { logEntry, flushLog } = (value ?? {}) as Partial<LogHandler>;
  return typeof logEntry === "function" && typeof flushLog === "function";
}

interface Subject {
  readonly agent?: string;
  readonly tool?: string;
}

function hand(handler: LogHandler, entry: LogEntry): void {
  try {
    handler.logEntry(entry);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    warnProcess(`A log handler failed, and has lost the entry "${entry.message}": ${reason}`, "LogHandlerWarning");
  }
}

const levelNames = { debug: "DEBUG", info: "INFO", warn: "WARN", error: "ERROR" } as const satisfies Record<string, LogLevel>;

/** These calls were refused before the tool's code began: the model's mistake, or a person's decision. */
const refusals: ReadonlySet<string> = new Set([
  "unknown_tool",
  "unauthorized",
  "validation_error",
  "confirmation_denied",
  "cancelled",
  "retries_exhausted",
  "limit_exceeded",
]);

function levelOf({ result: { errorType } }: ToolCallRecord): LogLevel {
  if (errorType === undefined || errorType === "interrupted") return "INFO";
  return refusals.has(errorType) ? "WARN" : "ERROR";
}

function attemptMessage({ result, duration }: ToolCallRecord): string {
  if (result.error === undefined) return `Execution completed in ${whole(duration)}ms`;
  if (result.errorType === "interrupted") return `Execution interrupted after ${whole(duration)}ms: ${result.error}`;
  return `Execution failed (${result.errorType}) after ${whole(duration)}ms: ${result.error}`;
}

function attemptMetadata(record: ToolCallRecord): LogMetadata {
  const { result, duration, agent: _agent, tool: _tool, ...rest } = record;
  const ended = result.error === undefined ? outputOf(result) : { error: result.error, errorType: result.errorType };
  return { ...rest, ...redactedTags(rest.tags), ...ended, duration_ms: rounded(duration) };
}

/** Records have notes in place of the bytes of images and files. */
const outputOf = ({ data, attachments }: ToolSuccess): Record<string, unknown> =>
  attachments === undefined ? { output: data } : { output: data, attachments: attachments.map(({ data: note }) => note) };

const callMetadata = ({ runId, callId, parentCallId, tags }: ToolCallEvent): LogMetadata => ({
  runId,
  callId,
  ...(parentCallId !== undefined && { parentCallId }),
  ...redactedTags(tags),
});

const runMetadata = ({ runId, tags }: { readonly runId: string; readonly tags?: Readonly<Record<string, string>> }): LogMetadata => ({
  runId,
  ...redactedTags(tags),
});

const decisionMetadata = (decisions: readonly Decision[] = []): Record<string, unknown> =>
  decisions.length === 0
    ? {}
    : {
        decisions: decisions.map(({ callId, decision, decidedBy }) => ({
          ...{ callId, decision },
          ...(decidedBy !== undefined && { decidedBy: redactText(decidedBy) }),
        })),
      };

function redactedTags(tags: Readonly<Record<string, string>> | undefined): Pick<LogMetadata, "tags"> {
  // `redact` keeps the form of what it is given.
  return tags === undefined ? {} : { tags: redact(tags) as Record<string, string> };
}

type Answer = NonNullable<Parameters<NonNullable<AgentListener["modelFinished"]>>[0]["response"]>;

/** What the model decided, and why as far as it says so. */
const answerMetadata = ({ text, reasoning, toolCalls, finishReason, usage }: Answer): Record<string, unknown> => ({
  finishReason,
  usage,
  ...(text !== "" && { output: redactText(text) }),
  ...(reasoning !== undefined && { reasoning: redactText(reasoning) }),
  ...(toolCalls.length > 0 && {
    toolCalls: toolCalls.map(({ id, name, arguments: written }) => ({ id, name, arguments: redactedArguments(written) })),
  }),
});

const whole = (milliseconds: number): number => Math.round(milliseconds);

const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
