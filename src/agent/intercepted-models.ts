import { type ChatModel, type ModelReference, resolveModel } from "../models/index.js";
import type { AgentDefinition } from "./agent-class.js";
import type { ModelChoice } from "./agent-model.js";

/** Puts other models in place of those that a run, and the runs of its sub-agents, would ask. */
export interface ModelInterceptor {
  /** The model that an agent has in place of the one of its `@model`, and of its fallbacks; `undefined` if it keeps them. */
  replacementOf(choice: ModelChoice): ModelReference | undefined;
  /** The model behind a reference. It is asked within the retries of `@model`. */
  resolve(reference: ModelReference): ChatModel | Promise<ChatModel>;
}

/** The internal option of a run that has an interceptor. Options are copied with their symbols. */
export const modelInterceptor = Symbol.for("toolwright.modelInterceptor");

/** Options of a run that may have an interceptor. */
export interface WithInterceptor {
  readonly [modelInterceptor]?: ModelInterceptor;
}

/** Puts a model in place of the one that an agent's `@model` names. Its sub-agents keep theirs. */
export const modelInstead = (definition: AgentDefinition, model: ModelReference): ModelInterceptor => ({
  replacementOf: (choice) => (choice === definition.model ? model : undefined),
  resolve: resolveModel,
});
