import { type AgentLike, type CallProblem, type ClassProblem, classDecorator, type ToolLike } from "./class-decorator.js";
import type { Nothing } from "./member-at.js";
import type { Checked } from "./parameter-check.js";

/**
 * What the model reads to choose the tool, or to hand over to the agent. Say what it does and when to use it.
 *
 * ```ts
 * @description("Gets the current weather for a city. Use when the user asks about weather now.")
 * class WeatherTool extends Tool {}
 * ```
 */
export function description(text: string): DescriptionDecorator {
  return classDecorator("description", { description: text });
}

/** The decorator of `@description`: for classes that extend `Tool` or `Agent`. It checks `call` too, for every tool has it. */
export type DescriptionDecorator = <Target, Context = Nothing>(
  target: Checked<
    Target,
    | ClassProblem<Target, Context, ToolLike | AgentLike, "@description is for a class that extends Tool or Agent">
    | CallProblem<Target, Context>
  >,
  context?: Context,
) => void;
