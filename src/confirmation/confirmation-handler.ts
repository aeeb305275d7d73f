import type { ApplicationContext } from "../tool/index.js";
import type { Confirmation } from "./confirmation.js";
import type { Decision } from "./decision.js";

/** What a handler may look at besides the confirmation. */
export interface ConfirmationSituation {
  /** Aborted when the run is. */
  readonly abortSignal: AbortSignal | undefined;
  readonly toolContext: ApplicationContext & Record<string, unknown>;
}

/**
 * Asks for a decision while the run waits: the option `confirm` of `generate`, `stream` and `resume`. `undefined`
 * leaves the decision to the next handler, and after the last one to a person: the run pauses. A handler that throws
 * decides nothing either.
 */
export type ConfirmationHandler = (
  confirmation: Confirmation,
  situation: ConfirmationSituation,
) => Decision | undefined | Promise<Decision | undefined>;
