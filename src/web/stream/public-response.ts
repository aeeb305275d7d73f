import type { AgentResponse, AgentStep } from "../../agent/index.js";
import type { RunState } from "../../loop/index.js";
import { publicOutcome } from "../../agent/internal.js";
import { normalise } from "../../execution/index.js";
import { redact, redactText } from "../../redaction/index.js";
import { type PublicError, publicError } from "./public-error.js";

/** An agent's response as a browser receives it: plain JSON without messages, and without state unless `includeState` is set. */
export type PublicResponse = Pick<
  AgentResponse,
  "runId" | "outcome" | "steps" | "usage" | "text" | "confirmations" | "questions" | "givenUp"
> & {
  /** The structured output as JSON. */
  readonly output?: unknown;
  readonly error?: PublicError;
  /** The state of the run, if `includeState` is set and it can be resumed. */
  readonly state?: RunState;
};

export function publicResponse(response: AgentResponse, includeState: boolean): PublicResponse {
  const { runId, steps, usage, text, output, confirmations, questions, givenUp, error, state } = response;
  return {
    runId,
    outcome: withoutSecrets(publicOutcome(response)),
    steps: steps.map(publicStep),
    usage,
    ...(text !== undefined && { text }),
    ...(output !== undefined && { output: normalise(output) }),
    ...(confirmations !== undefined && { confirmations }),
    ...(questions !== undefined && questions.length > 0 && { questions }),
    ...(givenUp !== undefined && { givenUp }),
    ...(error !== undefined && { error: publicError(error) }),
    ...(includeState && state !== undefined && { state }),
  };
}

function withoutSecrets(outcome: AgentResponse["outcome"]): AgentResponse["outcome"] {
  return outcome.detail === undefined ? outcome : { ...outcome, detail: redactText(outcome.detail) };
}

/** The tools' results, without secrets. The model's text was streamed before. */
export const publicStep = ({ providerCalls, ...step }: AgentStep): AgentStep => ({
  ...step,
  toolCalls: step.toolCalls.map(publicResult),
  ...(providerCalls !== undefined && { providerCalls: providerCalls.map(publicProviderCall) }),
});

/** A call that the provider ran, without secrets in its result. */
export const publicProviderCall = <Call extends { readonly result?: unknown }>(call: Call): Call =>
  call.result === undefined ? call : { ...call, result: redact(call.result) };

interface ShownResult {
  readonly content: string;
  readonly data?: unknown;
  readonly attachments?: unknown;
}

/** A result of a tool, without secrets, and without the bytes of images and files: their notes are in its text. */
export const publicResult = <Result extends ShownResult>({ attachments: _, ...result }: Result): Omit<Result, "attachments"> => ({
  ...result,
  content: redactText(result.content),
  ...(result.data !== undefined && { data: redact(result.data) }),
});
