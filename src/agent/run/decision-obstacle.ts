import type { Decision } from "../../confirmation/index.js";

/** A decision by which a call shall run. */
export type Approval = Exclude<Decision, { readonly decision: "deny" }>;

/** Why a call can't go on: its tool isn't there, or the arguments or the answer that a person wrote don't fit. */
export type DecisionObstacle =
  | { readonly reason: "not_available" }
  | { readonly reason: "invalid_arguments" | "invalid_answer"; readonly faults: string };

/** What decides that the tool isn't there. */
export const whyNotAvailable =
  "the agent doesn't have this tool now, by its @usesTools and by the toolContext and the profile that the run was resumed with.";

/** Looks for one in a stored run; `undefined` if there is none. */
export type ObstacleSearch = (decision: Decision) => Promise<DecisionObstacle | undefined>;

/** The internal method of `Agent` that begins such a search: a symbol, so that subclasses may use any name. */
export const obstacleSearch = Symbol("toolwright.obstacleSearch");
