import type { ApplicationContext, ToolDefinition } from "../tool/index.js";
import type { Confirmation } from "./confirmation.js";
import type { Decision } from "./decision.js";

/** What a confirmation handler receives besides the confirmation. */
export interface ConfirmationSituation {
  /** Aborted when the run is aborted. */
  readonly abortSignal: AbortSignal | undefined;
  /** The definition of the tool; `undefined` for a call that a sub-agent's paused run left behind. */
  readonly definition?: ToolDefinition | undefined;
  /** The application's `toolContext`. */
  readonly toolContext: ApplicationContext & Record<string, unknown>;
}

/**
 * Decides about a tool call while the run waits: an element of the option `confirm` of `generate`, `stream` and `resume`.
 *
 * Return `approve(confirmation)`, `deny(confirmation, reason)` or `approveEdited(confirmation, arguments)`. Return `undefined` to
 * leave the decision to the next handler; after the last one the run pauses for a person. A handler that throws decides nothing
 * either. See docs/04-confirmation.md.
 */
export type ConfirmationHandler = (
  confirmation: Confirmation,
  situation: ConfirmationSituation,
) => Decision | undefined | Promise<Decision | undefined>;
