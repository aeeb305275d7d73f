import type { Decision } from "./confirmation/decision.js";

/** A decision by which a call shall run. */
export type Approval = Exclude<Decision, { readonly decision: "deny" }>;

/** Why a call can't run as a person approved it: its tool isn't there, or the arguments that the person wrote don't fit. */
export type DecisionObstacle = { readonly reason: "not_available" } | { readonly reason: "invalid_arguments"; readonly faults: string };

/** The internal method of `Agent` that looks for one: a symbol, so that subclasses may use any name. */
export const decisionObstacle = Symbol("toolwright.decisionObstacle");
