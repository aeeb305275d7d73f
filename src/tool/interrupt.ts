const interruptMark = Symbol.for("toolwright.interrupt");

/**
 * Thrown when a call must wait for something outside, such as a confirmation. It isn't a failure: the library never catches, times
 * out or retries it.
 *
 * See docs/errors.md.
 */
export class ToolInterrupt extends Error {
  override readonly name = "ToolInterrupt";
  /** The tool's name. */
  readonly toolName: string;
  /** The id of the call. */
  readonly callId: string;
  /** What the call waits for. For a confirmation: the tool and its validated arguments. */
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

/**
 * Marks an error of your application as an interrupt, so that the executor throws it instead of returning a failed result. Returns
 * the error.
 *
 * `throw markAsInterrupt(new PaymentPending(orderId))`. See docs/02-tools.md.
 */
export function markAsInterrupt<E extends Error>(error: E): E {
  Object.defineProperty(error, interruptMark, { value: true });
  return error;
}

/**
 * Whether an error is an interrupt: a `ToolInterrupt` (of any copy of the package), one marked by `markAsInterrupt`, or one of
 * LangGraph's. See docs/02-tools.md.
 */
export function isInterrupt(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    ((error as Record<symbol, unknown>)[interruptMark] === true || (error as { is_bubble_up?: unknown }).is_bubble_up === true)
  );
}
