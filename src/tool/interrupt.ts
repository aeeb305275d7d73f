const interruptMark = Symbol.for("toolwright.interrupt");

/**
 * Control flow, not a failure: the call waits for something outside (a confirmation). It passes every
 * catch, timeout and retry of the library.
 */
export class ToolInterrupt extends Error {
  override readonly name = "ToolInterrupt";
  readonly toolName: string;
  readonly callId: string;
  /** What is asked: for a confirmation, the tool and its validated arguments. */
  readonly request: unknown;

  constructor(toolName: string, callId: string, message: string, request?: unknown) {
    super(message);
    this.toolName = toolName;
    this.callId = callId;
    this.request = request;
  }

  get [interruptMark](): true {
    return true;
  }
}

/** Marks an application's own error as an interrupt, so that it passes through untouched. */
export function markAsInterrupt<E extends Error>(error: E): E {
  Object.defineProperty(error, interruptMark, { value: true });
  return error;
}

/**
 * True for `ToolInterrupt` (of any copy of the package), for errors marked by `markAsInterrupt`, and for
 * LangGraph's `GraphInterrupt`, `NodeInterrupt` and `Command` bubbles (`is_bubble_up` is that library's own mark).
 */
export function isInterrupt(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    ((error as Record<symbol, unknown>)[interruptMark] === true || (error as { is_bubble_up?: unknown }).is_bubble_up === true)
  );
}
