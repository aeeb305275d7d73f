import type { ModelOptions, ModelReference } from "../../models/index.js";
import type { ApplicationContext } from "../../tool/index.js";
import type { ModelSettings } from "../agent-model.js";
import { type AgentClassDecorator, agentDecorator } from "./agent-class-decorator.js";

/**
 * The language model of an agent: a string such as `"openai/gpt-5-mini"`, a model object of the Vercel AI SDK, a
 * `ChatModel`, or a function that chooses one of them by the caller's context at the start of each run.
 *
 * ```ts
 * @model("openai/gpt-5-mini", { retries: 3, timeout: 30_000, fallback: "anthropic/claude-haiku-4-5" })
 * class WeatherAgent extends Agent {}
 * ```
 */
export function model(
  reference: ModelReference | ((context: ApplicationContext) => ModelReference | Promise<ModelReference>),
  settings: ModelSettings = {},
): AgentClassDecorator {
  return agentDecorator("model", { reference, settings });
}

/**
 * Settings of every model call, by the AI SDK's names; a model ignores those it doesn't know.
 *
 * ```ts
 * @modelOptions({ temperature: 0, maxOutputTokens: 2_000 })
 * class WeatherAgent extends Agent {}
 * ```
 */
export function modelOptions(options: ModelOptions): AgentClassDecorator {
  return agentDecorator("modelOptions", options);
}
