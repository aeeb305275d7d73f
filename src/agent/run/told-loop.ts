import type { ModelError } from "../../models/index.js";
import { outsideText } from "../../models/internal.js";
import type { LoopState } from "../loop/index.js";

/** The loop as a state has it, which may go to a browser: what the provider said of its failure is in the response alone. */
export function toldLoop(state: LoopState, modelError: ModelError | undefined): LoopState {
  if (modelError === undefined || state.outcome?.reason !== "model_error") return state;
  return { ...state, outcome: { reason: "model_error", detail: outsideText(modelError) } };
}
