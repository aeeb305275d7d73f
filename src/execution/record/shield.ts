import { loggedError, warnProcess } from "../../redaction/internal.js";

/** Runs a listener of the application: what it throws, or rejects with, becomes a process warning. */
export function shield(listen: () => unknown): void {
  try {
    const result = listen();
    if (result instanceof Promise) result.catch(warn);
  } catch (error) {
    warn(error);
  }
}

function warn(error: unknown): void {
  warnProcess(`A listener threw, which changes nothing for the run: ${loggedError(error)}`);
}
