/** An outcome other than `success`. */
type Ended<Reason extends string> = Reason extends string
  ? {
      readonly reason: Reason;
      /** For people: what happened, and what helps. */
      readonly detail: string;
    }
  : never;

/**
 * How a run ended: `reason`, with a `detail` for people.
 *
 * - `success`: the model answered; `text` may be empty if the model stopped by itself.
 * - `awaiting_confirmation`: tool calls wait for a person; resume with decisions.
 * - `awaiting_answer`: tool calls wait for answers, and none for a decision; resume with answers.
 * - `interrupted`: `agent.interrupt` stopped the run between two steps, or a tool waits for something outside the run.
 * - `max_steps`: the model still called tools in the last step; these calls didn't run.
 * - `budget_exhausted`: a limit of the budget was reached; `budget` says which.
 * - `repeated_failure`: the model repeated the same failing tool calls.
 * - `aborted`: the caller's signal was aborted; `detail` is its reason.
 * - `model_error`: the model failed, after its retries and fallbacks.
 * - `truncated`: the limit of output tokens cut the answer.
 * - `content_filter`: the provider withheld the answer, or ended an answer that has tool calls with an error; these calls didn't
 *   run.
 * - `guardrail_blocked`: a guardrail rejected the prompt or the answer.
 * - `invalid_structured_output`: the answer didn't match the type of `@returns`, after one attempt to correct it.
 *
 * See docs/03-agents.md.
 */
export type RunOutcome =
  | { readonly reason: "success"; readonly detail?: undefined }
  | Ended<
      | "awaiting_confirmation"
      | "awaiting_answer"
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
      /** The details that the guardrail passed to `block`. */
      readonly details?: unknown;
    })
  | (Ended<"budget_exhausted"> & {
      /** The limit that was reached. */
      readonly budget: "callsPerTool" | "wallTime" | "tokens" | "resultBytes";
    });

/** The `RunOutcome` with a certain reason: `OutcomeOf<"budget_exhausted">`. */
export type OutcomeOf<Reason extends RunOutcome["reason"]> = Extract<RunOutcome, { readonly reason: Reason }>;

/** The reasons after which a run can go on from its state. */
export type ResumableReason =
  | "awaiting_confirmation"
  | "awaiting_answer"
  | "interrupted"
  | "max_steps"
  | "budget_exhausted"
  | "repeated_failure"
  | "aborted"
  | "model_error";

const resumable: ReadonlySet<string> = new Set<ResumableReason>([
  "awaiting_confirmation",
  "awaiting_answer",
  "interrupted",
  "max_steps",
  "budget_exhausted",
  "repeated_failure",
  "aborted",
  "model_error",
]);

/** Whether a run that ended in this way can be resumed. */
export const isResumable = (outcome: RunOutcome): outcome is OutcomeOf<ResumableReason> => resumable.has(outcome.reason);

/** Whether a run waits for somebody. */
export const isWaiting = (outcome: RunOutcome | null | undefined): boolean =>
  outcome?.reason === "awaiting_confirmation" || outcome?.reason === "awaiting_answer";
