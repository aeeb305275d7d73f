import { loggedError, warnProcess } from "../../redaction/internal.js";
import { statusOf } from "../error-status.js";

/** Tells the application of a failure. */
export type FailureReport = (error: unknown) => void;

/**
 * The one way in which the server hears why it failed a client, who is told nothing of it: by `onError`, or by a process
 * warning that begins with `what`. What the client itself did wrong is told to the client alone. Never throws.
 */
export function failureReport(what: string, onError: ((error: unknown) => unknown) | undefined): FailureReport {
  return (error) => {
    if (statusOf(error) < 500) return;
    if (onError === undefined) return warn(what, error);
    const onErrorFailed = (failure: unknown): void => {
      warn(what, error);
      warn("onError", failure);
    };
    try {
      const told = onError(error);
      if (told instanceof Promise) told.catch(onErrorFailed);
    } catch (failure) {
      onErrorFailed(failure);
    }
  };
}

function warn(what: string, error: unknown): void {
  warnProcess(`${what} failed: ${loggedError(error)}`);
}
