import { loggedError, warnProcess } from "../../redaction/internal.js";
import { ConversationConflictError } from "../../storage/index.js";
import { statusOf } from "../error-status.js";

/** Reports a failure to the application. */
export type FailureReport = (error: unknown) => void;

/**
 * The only report of a failure that the client doesn't see: to `onError`, or as a process
 * warning that begins with `what`. Mistakes of the client are reported only to the client; a turn that couldn't be stored is none. Never
 * throws.
 */
export function failureReport(what: string, onError: ((error: unknown) => unknown) | undefined): FailureReport {
  return (error) => {
    if (statusOf(error) < 500 && !(error instanceof ConversationConflictError)) return;
    if (onError === undefined) return warn(what, error);
    const onErrorFailed = (failure: unknown): void => {
      warn(what, error);
      warn("onError", failure);
    };
    try {
      const reported = onError(error);
      if (reported instanceof Promise) reported.catch(onErrorFailed);
    } catch (failure) {
      onErrorFailed(failure);
    }
  };
}

function warn(what: string, error: unknown): void {
  warnProcess(`${what} failed: ${loggedError(error)}`);
}
