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
 * - `success`: the model gave an answer; an empty one counts (`text` is then `""`).
 * - `truncated`: the answer was cut off by the limit of output tokens.
 * - `content_filter`: the provider withheld the answer.
 * - `max_steps`: the model still called tools in the last step allowed; those calls were not run.
 * - `repeated_failure`: the model repeated the same failing tool calls again and again.
 * - `aborted`: the caller's signal was aborted; `detail` is its reason.
 * - `interrupted`: a tool asked for something outside the run.
 * - `model_error`: the model failed for good, after its retries and fallbacks.
 */
export type RunOutcome =
  | { readonly reason: "success"; readonly detail?: undefined }
  | Ended<"truncated" | "content_filter" | "max_steps" | "repeated_failure" | "aborted" | "interrupted" | "model_error">;

/** The outcomes with a reason. */
export type OutcomeOf<Reason extends RunOutcome["reason"]> = Extract<RunOutcome, { readonly reason: Reason }>;
