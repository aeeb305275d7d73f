import { AsyncLocalStorage } from "node:async_hooks";
import type { ChatModel, ModelReference } from "../models/index.js";
import type { ModelChoice } from "./agent-model.js";

/** Puts other models in place of those that runs would ask. */
export interface ModelInterceptor {
  /** The model that an agent has in place of the one of its `@model`, and of its fallbacks; `undefined` if it keeps them. */
  replacementOf(choice: ModelChoice): ModelReference | undefined;
  /** The model behind a reference. It is asked within the retries of `@model`. */
  resolve(reference: ModelReference): ChatModel | Promise<ChatModel>;
}

const interceptors = new AsyncLocalStorage<ModelInterceptor>();

/** Begins runs whose models, with those of their sub-agents, are what `interceptor` gives. */
export const interceptModels = <Result>(interceptor: ModelInterceptor, begin: () => Result): Result => interceptors.run(interceptor, begin);

export const currentInterceptor = (): ModelInterceptor | undefined => interceptors.getStore();
