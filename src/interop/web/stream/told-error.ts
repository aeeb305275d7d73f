import { AgentBusyError, DecisionError, RunStateError } from "../../../agent/index.js";
import { ModelError } from "../../../models/index.js";
import { redactText } from "../../../tool/index.js";
import { WebRequestError } from "../web-request-error.js";

/** An error as somebody outside is told of it. */
export interface ToldError {
  readonly name: string;
  readonly message: string;
}

/** Their messages are written for whoever made the request. */
const tellable = [WebRequestError, ModelError, DecisionError, RunStateError, AgentBusyError];

const isTellable = (error: unknown): error is Error => tellable.some((type) => error instanceof type);

/**
 * Without stack and secrets. The message of an error that isn't the library's own may name hosts, tables and files of the
 * application, so it isn't told at all.
 */
export const toldError = (error: unknown): ToldError =>
  isTellable(error)
    ? { name: error.name, message: redactText(error.message) }
    : { name: "Error", message: "The run failed on the server." };

/** An error as the application's own log is told of it: with its stack, which finds the place, and without secrets. */
export const loggedError = (error: unknown): string => redactText(error instanceof Error ? (error.stack ?? error.message) : String(error));
