import { types } from "node:util";
import { loggedError, outsideTextOf, warnProcess } from "../../redaction/internal.js";
import { describeFaults, type Fault } from "../../schema/index.js";
import {
  ToolAuthorizationError,
  type ToolError,
  type ToolErrorType,
  ToolExecutionError,
  type ToolFailure,
  ToolInputValidationError,
  ToolNotFoundError,
  ToolOutputValidationError,
  type ToolResult,
  ToolTimeoutError,
} from "../../tool/index.js";
import { insteadOfName, plainFormOf } from "../../tool/internal.js";
import { isoTime } from "../time.js";
import { capText } from "./cap.js";
import { dataText } from "./model-text.js";
import { normalise } from "./normalise.js";

/** The part of a failure that JSON can't hold, for callers that catch errors. */
interface FailureDetails {
  readonly issues?: readonly Fault[];
  readonly cause?: unknown;
  /** The place of the output schema that a result breaks, such as `@returns`. */
  readonly declaredBy?: string;
  /** Why a tool that exists may not be called. A model must not learn it. */
  readonly denial?: string;
  /** The tools that may be called, if this one doesn't exist. */
  readonly available?: readonly string[];
}

const detailsOf = new WeakMap<ToolFailure, FailureDetails>();

export function failed(tool: string, fetchedAt: string, errorType: ToolErrorType, error: string, details?: FailureDetails): ToolFailure {
  const failure: ToolFailure = { tool, fetchedAt, error: error.toWellFormed(), errorType };
  if (details !== undefined) detailsOf.set(failure, details);
  return failure;
}

/** The failure with its message cut to `maxBytes`. */
export function capError(failure: ToolFailure, maxBytes: number): ToolFailure {
  const error = capText(failure.error, maxBytes);
  return error === failure.error ? failure : failed(failure.tool, failure.fetchedAt, failure.errorType, error, detailsOf.get(failure));
}

/** The stack of the error that the tool's own code threw, if it threw one. */
export function stackOf(failure: ToolFailure): string | undefined {
  if (failure.errorType !== "execution_error" && failure.errorType !== "unhandled_error") return undefined;
  const cause = detailsOf.get(failure)?.cause;
  return types.isNativeError(cause) && typeof cause.stack === "string" ? cause.stack : undefined;
}

export const isFailure = (result: ToolResult): result is ToolFailure => result.error !== undefined;

/** Converts a failed result to the typed error that `ToolExecutor.run` throws, with issues and cause. See docs/errors.md. */
export function toToolError(failure: ToolFailure): ToolError {
  const { tool, error, errorType } = failure;
  const { issues, cause, declaredBy, denial, available } = detailsOf.get(failure) ?? {};
  const options = cause === undefined ? undefined : { cause };
  switch (errorType) {
    case "unknown_tool":
      return denial === undefined ? notFound(tool, available) : new ToolAuthorizationError(tool, denial);
    case "validation_error":
      return new ToolInputValidationError(tool, issues ?? [{ path: "", message: error, keyword: "type" }]);
    case "output_validation_error":
      return new ToolOutputValidationError(tool, issues ?? [{ path: "", message: error, keyword: "type" }], declaredBy);
    case "unauthorized":
      return cause instanceof ToolAuthorizationError ? cause : new ToolAuthorizationError(tool, error, options);
    case "timeout_error":
      return cause instanceof ToolTimeoutError ? cause : new ToolExecutionError(tool, error, options);
    case "execution_error":
    case "unhandled_error":
      return new ToolExecutionError(tool, `Error during execution of tool '${tool}': ${error}`, options);
    default:
      return new ToolExecutionError(tool, error, options);
  }
}

function notFound(tool: string, available: readonly string[] = []): ToolNotFoundError {
  const hint = available.length === 0 ? "No tools are available here." : insteadOfName(tool, available);
  return new ToolNotFoundError(tool, `Tool not found in registry: ${tool}. ${hint}`);
}

/** The failed result of a call that was cancelled before its tool began. */
export const cancelledBefore = (tool: string, signal: AbortSignal | undefined): ToolFailure =>
  failed(tool, isoTime(), "cancelled", "Request was cancelled", { cause: signal?.reason });

/** The failed result of a call whose input or output has faults. */
export const invalidInput = (tool: string, fetchedAt: string, issues: readonly Fault[]): ToolFailure =>
  failed(tool, fetchedAt, "validation_error", describeFaults(issues), { issues });

/** `declaredBy`: the place of the output schema, such as `@returns`. */
export const invalidOutput = (
  tool: string,
  fetchedAt: string,
  issues: readonly Fault[],
  declaredBy: "@returns" | "outputSchema",
): ToolFailure =>
  failed(
    tool,
    fetchedAt,
    "output_validation_error",
    `Tool '${tool}' gave an invalid result: ${describeFaults(issues, "output")} (declared by ${declaredBy})`,
    { issues, declaredBy },
  );

/** The failed result of a call that returned images or files that no model can read. `faults`: a sentence for each. */
export const invalidFiles = (tool: string, fetchedAt: string, faults: readonly string[]): ToolFailure =>
  failed(tool, fetchedAt, "output_validation_error", `Tool '${tool}' gave an invalid result: ${faults.join(" ")}`);

/**
 * The failed result of a call whose code threw. Never throws itself, whatever was thrown. If the result hides the error's own
 * message, as for errors of models, a process warning has it for the application.
 */
export function thrown(tool: string, fetchedAt: string, error: unknown, errorType = typeOfThrown(tool, error)): ToolFailure {
  const outside = outsideTextOf(error);
  if (outside !== undefined) warnProcess(`The tool "${tool}" failed: ${loggedError(error)}`);
  return failed(tool, fetchedAt, errorType, outside ?? messageOfThrown(error), { cause: error });
}

function typeOfThrown(tool: string, error: unknown): ToolErrorType {
  // The timeout of a tool that this one called is a failure of this one, not its own timeout.
  if (error instanceof ToolTimeoutError && error.toolName === tool) return "timeout_error";
  if (error instanceof ToolAuthorizationError) return "unauthorized";
  return isError(error) ? "execution_error" : "unhandled_error";
}

/** Also for errors of another realm, such as those that Node throws in jest. */
const isError = (error: unknown): boolean => types.isNativeError(error) || error instanceof Error;

/** `String` of an array writes shared items once for each place. */
const shortText = (value: unknown): string => (Array.isArray(value) ? dataText(normalise(value)) : String(value));

/** The message of any thrown value. An error without a message gives its code or its name. */
export function messageOfThrown(error: unknown): string {
  try {
    if (typeof error === "string" && error !== "") return error;
    if (typeof error === "object" && error !== null) {
      const { message, code, name } = error as { readonly message?: unknown; readonly code?: unknown; readonly name?: unknown };
      const form = plainFormOf(error);
      for (const [key, text] of Object.entries({ message, code, name })) {
        if (typeof text === "string" && text !== "" && (form === undefined || form.nameOf(key) !== undefined)) return text;
      }
    }
    return `The tool threw ${error === "" ? "an empty string" : shortText(error)} instead of an error.`;
  } catch {
    return "The tool threw a value that can't be read.";
  }
}

/** The message that a tool gives, which may be any value in plain JavaScript, most of all an error. */
export const messageText = (message: unknown): string =>
  message instanceof Error ? messageOfThrown(message) : dataText(typeof message === "string" ? message : normalise(message));
