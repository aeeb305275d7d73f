import type { ModelOptions, ModelReference } from "../../models/index.js";
import type { ApplicationContext } from "../../tool/index.js";
import type { ModelSettings } from "../agent-model.js";
import { type AgentClassDecorator, agentDecorator } from "./agent-class-decorator.js";

/**
 * Sets the language model of an agent.
 *
 * - a string: `@model("openai/gpt-5-mini")`
 * - with settings: `@model("openai/gpt-5-mini", { retries: 3, timeout: 30_000, fallback: "anthropic/claude-haiku-4-5" })`
 * - a model object of the AI SDK or a `ChatModel`: `@model(openai("gpt-5-mini"))`
 * - a function that is called at the start of each run:
 *   `@model(({ user }) => (user?.isPremium ? "openai/gpt-5" : "openai/gpt-5-mini"))`
 *
 * See docs/03-agents.md.
 */
export function model(
  reference: ModelReference | ((context: ApplicationContext) => ModelReference | Promise<ModelReference>),
  settings: ModelSettings = {},
): AgentClassDecorator {
  return agentDecorator("model", { reference, settings });
}

/**
 * Sets options of every model call, with the AI SDK's names. Models ignore options that they don't know.
 *
 * `@modelOptions({ temperature: 0, maxOutputTokens: 2_000 }) class WeatherAgent extends Agent {}`
 *
 * See docs/03-agents.md.
 */
export function modelOptions(options: ModelOptions): AgentClassDecorator {
  return agentDecorator("modelOptions", options);
}
