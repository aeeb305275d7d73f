import { AgentBusyError } from "../../agent/index.js";
import { DecisionError } from "../../confirmation/index.js";
import { RuntimeError } from "../../durable/index.js";
import { RunStateError } from "../../loop/index.js";
import { ModelError } from "../../models/index.js";
import { redactText } from "../../redaction/index.js";
import { outsideText } from "../../redaction/internal.js";
import { ConversationConflictError, JournalError, LeaseHeldError } from "../../storage/index.js";
import { statusOf } from "../error-status.js";
import { WebRequestError } from "../web-request-error.js";

/** An error as clients receive it, without internal details. */
export interface PublicError {
  /** The name of the error class. */
  readonly name: string;
  /** A message for the sender. */
  readonly message: string;
}

/** What a client reads of an error whose message is advice for the application's programmers. */
function publicMessage(error: unknown): string | undefined {
  if (error instanceof AgentBusyError) return "The agent is still answering. Wait for its answer, then send the message again.";
  if (error instanceof ConversationConflictError) {
    return "The conversation has changed in the meantime, so this answer wasn't kept. Load the conversation again, then send the message again.";
  }
  if (error instanceof LeaseHeldError) return "This is already in progress in another place. Wait for its end, then try again.";
  if (error instanceof JournalError && statusOf(error) === 404) return "There is no such run.";
  if (error instanceof JournalError && statusOf(error) === 409) return "There is a run with this id already.";
  if (error instanceof RuntimeError && error.reason === "draining") return "The server is shutting down. Send the request again.";
  if (error instanceof RuntimeError && error.reason === "limit_exceeded") return "Too many runs are going on. Try again later.";
  if (error instanceof RunStateError) return runStateMessages[error.reason];
  if (error instanceof DecisionError) return decisionMessages[error.reason] ?? redactText(error.message);
  return error instanceof WebRequestError ? redactText(error.message) : undefined;
}

const runStateMessages: Readonly<Record<RunStateError["reason"], string>> = {
  no_state: "The run can't go on: its state can't be read.",
  version: "The run can't go on: its state was written by another version.",
  edited: "The run can't go on: its state was changed.",
  other_agent: "The run can't go on: it belongs to another agent.",
  finished: "The run has ended: there is nothing to go on with. Send a new message.",
  journal: "The run can't go on here: it is recorded in another place.",
  replay: "The run can't go on here: it repeats another run.",
  given_up: "The conversation went on without this run, so its calls can't be approved any more. Send a new message.",
};

/** The other reasons quote the decision, which the client wrote. */
const decisionMessages: Readonly<Partial<Record<DecisionError["reason"], string>>> = {
  unknown_call: "The call of the decision doesn't wait for a decision. Load the conversation again.",
  other_confirmation:
    "The decision is for another confirmation: the tool or its arguments have changed since. Load the conversation again.",
  not_available: "The call was approved, but can't run: its tool isn't available now. Nothing has run. Deny the call, or try again later.",
  decided_before:
    "The call was decided before, or the conversation went on without it: a decision counts once. Load the conversation again.",
};

/**
 * Without stack and secrets. The message of an application's error may name hosts, tables and files, and a model's failure has the
 * provider's message. The client gets neither.
 */
export function publicError(error: unknown): PublicError {
  const message = publicMessage(error);
  if (message !== undefined) return { name: (error as Error).name, message };
  if (error instanceof ModelError) return { name: error.name, message: error[outsideText] };
  return { name: "Error", message: "The run failed on the server." };
}
