import { AgentBusyError, DecisionError, RunStateError } from "../../../agent/index.js";
import { ModelError } from "../../../models/index.js";
import { redactText } from "../../../tool/index.js";
import { outsideText } from "../../../tool/internal.js";
import { WebRequestError } from "../web-request-error.js";

/** An error as somebody outside is told of it. */
export interface ToldError {
  readonly name: string;
  readonly message: string;
}

/** Their messages are written for whoever made the request. */
const tellable = [WebRequestError, DecisionError, RunStateError, AgentBusyError];

const isTellable = (error: unknown): error is Error => tellable.some((type) => error instanceof type);

/**
 * Without stack and secrets. The message of an error that isn't the library's own may name hosts, tables and files of the
 * application, and that of a model's failure is the provider's: neither is told.
 */
export function toldError(error: unknown): ToldError {
  if (isTellable(error)) return { name: error.name, message: redactText(error.message) };
  if (error instanceof ModelError) return { name: error.name, message: error[outsideText] };
  return { name: "Error", message: "The run failed on the server." };
}
