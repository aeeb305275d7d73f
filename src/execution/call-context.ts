import type { ToolContext, ToolLog } from "../tool/index.js";
import type { ToolAttempt } from "./tool-attempt.js";

/** What the framework manages: the application's bag can't override it. */
const managed: ReadonlySet<string> = new Set([
  "abortSignal",
  "runId",
  "callId",
  "attempt",
  "idempotencyKey",
  "progress",
  "log",
  "call",
  "__proto__",
]);

/** The context of one attempt: the members of the bag as its own, what the framework manages made when it is read. */
class CallContext {
  readonly #attempt: ToolAttempt;

  constructor(attempt: ToolAttempt) {
    this.#attempt = attempt;
  }

  get abortSignal(): AbortSignal {
    return this.#attempt.abortSignal;
  }

  get runId(): string {
    return this.#attempt.call.scope.runId;
  }

  get callId(): string {
    return this.#attempt.call.id;
  }

  get attempt(): number {
    return this.#attempt.number;
  }

  get idempotencyKey(): string {
    return `${this.runId}:${this.callId}`;
  }

  get progress(): ToolContext["progress"] {
    const attempt = this.#attempt;
    return (fraction, message) => attempt.reportProgress(fraction, message);
  }

  get log(): ToolLog {
    const attempt = this.#attempt;
    return {
      debug: (message, details) => attempt.reportLog("debug", message, details),
      info: (message, details) => attempt.reportLog("info", message, details),
      warn: (message, details) => attempt.reportLog("warn", message, details),
      error: (message, details) => attempt.reportLog("error", message, details),
    };
  }

  get call(): ToolContext["call"] {
    const attempt = this.#attempt;
    // The types tell what the executor makes of what the tool returns.
    return ((tool, input) => attempt.callTool(tool, input)) as ToolContext["call"];
  }
}

export function createCallContext(attempt: ToolAttempt): ToolContext {
  const context = new CallContext(attempt);
  const toolContext: Readonly<Record<string, unknown>> | undefined = attempt.call.scope.toolContext;
  if (toolContext) {
    for (const key of Object.keys(toolContext)) {
      if (!managed.has(key)) (context as unknown as Record<string, unknown>)[key] = toolContext[key];
    }
  }
  // The application may have added required members to ToolContext by declaration merging: its bag holds them.
  return context as ToolContext;
}
