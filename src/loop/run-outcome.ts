type Ended<Reason extends string> = Reason extends string
  ? {
      readonly reason: Reason;
      /** For people: what happened, and what helps. */
      readonly detail: string;
    }
  : never;

/**
 * How a run ended.
 *
 * - `success`: the model gave an answer; an empty one counts if the model stopped by itself (`text` is then `""`).
 * - `awaiting_confirmation`: tool calls wait for a person; resume with decisions.
 * - `interrupted`: `agent.interrupt` stopped it between two steps, or a tool asked for something outside the run.
 * - `max_steps`: the model still called tools in the last step allowed; those calls were not run.
 * - `budget_exhausted`: one of the limits of the budget was reached; `budget` says which.
 * - `repeated_failure`: the model repeated the same failing tool calls again and again.
 * - `aborted`: the caller's signal was aborted; `detail` is its reason.
 * - `model_error`: the model failed for good, after its retries and fallbacks.
 * - `truncated`: the answer was cut off by the limit of output tokens.
 * - `content_filter`: the provider withheld the answer, or ended one with tool calls with an error; those were not run.
 * - `guardrail_blocked`: a guardrail refused the prompt or the answer.
 * - `invalid_structured_output`: the answer didn't fit what `@returns` says, after one round of repair.
 */
export type RunOutcome =
  | { readonly reason: "success"; readonly detail?: undefined }
  | Ended<
      | "awaiting_confirmation"
      | "interrupted"
      | "max_steps"
      | "repeated_failure"
      | "aborted"
      | "model_error"
      | "truncated"
      | "content_filter"
      | "invalid_structured_output"
    >
  | (Ended<"guardrail_blocked"> & {
      /** What the guardrail gave besides its reason. */
      readonly details?: unknown;
    })
  | (Ended<"budget_exhausted"> & { readonly budget: "callsPerTool" | "wallTime" | "tokens" | "resultBytes" });

/** The outcomes with a reason. */
export type OutcomeOf<Reason extends RunOutcome["reason"]> = Extract<RunOutcome, { readonly reason: Reason }>;

/** The reasons after which a run can go on from its state. */
export type ResumableReason =
  | "awaiting_confirmation"
  | "interrupted"
  | "max_steps"
  | "budget_exhausted"
  | "repeated_failure"
  | "aborted"
  | "model_error";

const resumable: ReadonlySet<string> = new Set<ResumableReason>([
  "awaiting_confirmation",
  "interrupted",
  "max_steps",
  "budget_exhausted",
  "repeated_failure",
  "aborted",
  "model_error",
]);

/** Whether a run that ended in this way can be resumed. */
export const isResumable = (outcome: RunOutcome): outcome is OutcomeOf<ResumableReason> => resumable.has(outcome.reason);
