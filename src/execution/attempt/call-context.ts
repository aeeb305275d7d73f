import type { ToolContext, ToolLog } from "../../tool/index.js";
import type { RunningCode } from "../preparation/prepared-call.js";
import type { RunScope } from "../run-scope.js";

/** The code that a context is made for. In another thread or process, it has only these members of its call. */
export interface ContextOwner extends Pick<RunningCode, "number" | "abortSignal" | "reportProgress" | "reportLog" | "callTool"> {
  readonly call: { readonly id: string; readonly scope: Pick<RunScope, "runId" | "toolContext"> };
}

/** Names that the framework manages. The application's bag can't override them. */
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

/** The context of code of a tool. The bag's members are copied in; the framework's are made when they are read. */
class CallContext {
  readonly #code: ContextOwner;

  constructor(code: ContextOwner) {
    this.#code = code;
  }

  get abortSignal(): AbortSignal {
    return this.#code.abortSignal;
  }

  get runId(): string {
    return this.#code.call.scope.runId;
  }

  get callId(): string {
    return this.#code.call.id;
  }

  get attempt(): number {
    return this.#code.number;
  }

  get idempotencyKey(): string {
    return `${this.runId}:${this.callId}`;
  }

  get progress(): ToolContext["progress"] {
    const code = this.#code;
    return (fraction, message) => code.reportProgress(fraction, message);
  }

  get log(): ToolLog {
    const code = this.#code;
    return {
      debug: (message, details) => code.reportLog("debug", message, details),
      info: (message, details) => code.reportLog("info", message, details),
      warn: (message, details) => code.reportLog("warn", message, details),
      error: (message, details) => code.reportLog("error", message, details),
    };
  }

  get call(): ToolContext["call"] {
    const code = this.#code;
    // The executor returns the data of the tool, which `call` is typed by.
    return ((tool, input) => code.callTool(tool, input)) as ToolContext["call"];
  }
}

export function createCallContext(code: ContextOwner): ToolContext {
  const context = new CallContext(code);
  const toolContext: Readonly<Record<string, unknown>> | undefined = code.call.scope.toolContext;
  if (toolContext) {
    for (const key of Object.keys(toolContext)) {
      // The application declares further members of `ToolContext`.
      if (!managed.has(key)) (context as unknown as Record<string, unknown>)[key] = toolContext[key];
    }
  }
  // The application may have added required members to ToolContext by declaration merging: its bag holds them.
  return context;
}
