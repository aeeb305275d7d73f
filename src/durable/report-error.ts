import { loggedError, warnProcess } from "../redaction/internal.js";
import type { RuntimeRun } from "./runtime.js";

/** Receives what went wrong with a run, or with the work of a runtime. */
export type OnRuntimeError = (error: unknown, run: RuntimeRun | undefined) => void;

/** Reports to the application, or as a process warning. What the application throws is reported with it. */
export const reportTo =
  (onError: OnRuntimeError = warnOf): OnRuntimeError =>
  (error, run) => {
    try {
      onError(error, run);
    } catch (failure) {
      warnOf(error, run);
      warnOf(failure, undefined);
    }
  };

function warnOf(error: unknown, run: RuntimeRun | undefined): void {
  warnProcess(
    `${run === undefined ? "A runtime failed" : `The run ${run.runId} of the agent "${run.agent}" failed`}, and is tried again: ${loggedError(error)}`,
  );
}
