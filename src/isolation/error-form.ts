import { types } from "node:util";
import { builtin } from "../platform/index.js";
import { outsideText, outsideTextOf } from "../redaction/internal.js";
import {
  ToolAuthorizationError,
  ToolDefinitionError,
  ToolError,
  ToolExecutionError,
  ToolInputValidationError,
  ToolInterrupt,
  ToolNotFoundError,
  ToolOutputValidationError,
  ToolTimeoutError,
} from "../tool/index.js";
import { isInterrupt, markAsInterrupt } from "../tool/internal.js";

/** A thrown value as it crosses. A clone of an error would lose its class and its members. */
export interface ErrorForm {
  /** Absent for a value that isn't an error. */
  readonly error?: {
    readonly name: string;
    readonly message: string;
    readonly stack: string | undefined;
    readonly cause: ErrorForm | undefined;
    /** Its other own members that can be copied. */
    readonly members: Readonly<Record<string, unknown>>;
    readonly isInterrupt: boolean;
    readonly outside: string | undefined;
  };
  readonly value?: unknown;
}

const known: ReadonlyMap<string, { readonly prototype: Error }> = new Map(
  [
    ...[EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError],
    ...[ToolDefinitionError, ToolError, ToolExecutionError, ToolAuthorizationError, ToolTimeoutError],
    ...[ToolNotFoundError, ToolInputValidationError, ToolOutputValidationError, ToolInterrupt],
  ].map((errorClass) => [errorClass.name, errorClass]),
);

/** Causes of causes. A chain may be a circle. */
const deepestCause = 5;

export function errorForm(thrown: unknown, depth = 0): ErrorForm {
  if (!types.isNativeError(thrown) && !(thrown instanceof Error)) return { value: copied(thrown) ?? String(thrown) };
  const { name, message, stack, cause } = thrown;
  const members: Record<string, unknown> = {};
  for (const key of Object.keys(thrown)) {
    if (ownNames.has(key)) continue;
    // `Error` declares no other members; its keys were read from it.
    const value = copied((thrown as unknown as Record<string, unknown>)[key]);
    if (value !== undefined) members[key] = value;
  }
  return {
    error: {
      name: String(name),
      message: String(message),
      stack: typeof stack === "string" ? stack : undefined,
      cause: cause === undefined || depth === deepestCause ? undefined : errorForm(cause, depth + 1),
      members,
      isInterrupt: isInterrupt(thrown),
      outside: outsideTextOf(thrown),
    },
  };
}

/** The error again, of its class if that is one of JavaScript's or of this library's. */
export function thrownOf({ error, value }: ErrorForm): unknown {
  if (error === undefined) return value;
  const { name, message, stack, cause, members } = error;
  const made = new Error(message, cause === undefined ? undefined : { cause: thrownOf(cause) });
  const errorClass = known.get(name);
  if (errorClass !== undefined) Object.setPrototypeOf(made, errorClass.prototype);
  if (made.name !== name) Object.defineProperty(made, "name", { value: name, configurable: true, writable: true });
  if (stack !== undefined) Object.defineProperty(made, "stack", { value: stack, configurable: true, writable: true });
  Object.assign(made, members);
  if (error.outside !== undefined) Object.defineProperty(made, outsideText, { value: error.outside });
  return error.isInterrupt && !isInterrupt(made) ? markAsInterrupt(made) : made;
}

const ownNames: ReadonlySet<string> = new Set(["name", "message", "stack", "cause"]);

/** `undefined` for what can't be copied. */
function copied(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return typeof value === "function" || typeof value === "symbol" ? undefined : value;
  try {
    const { deserialize, serialize } = builtin("node:v8");
    return deserialize(serialize(value));
  } catch {
    return undefined;
  }
}
