import { classDecorator } from "./class-decorator.js";
import type { AgentLike, CallProblem, ClassProblem, ToolLike } from "./compile-time/class-problem.js";
import type { Checked, Nothing } from "./compile-time/checked.js";

/**
 * Sets what the model reads to choose the tool, or to call the agent as a sub-agent. Write what it does and when to use it.
 *
 * `@description("Gets the current weather for a city. Use when the user asks about weather now.") class WeatherTool extends Tool {}`
 *
 * See docs/02-tools.md.
 */
export function description(text: string): DescriptionDecorator {
  return classDecorator("description", { description: text });
}

/**
 * The return type of `@description`: a decorator for classes that extend `Tool` or `Agent`. It also checks the parameters of
 * `call`.
 */
export type DescriptionDecorator = <Target, Context = Nothing>(
  target: Checked<
    Target,
    | ClassProblem<Target, Context, ToolLike | AgentLike, "@description is for a class that extends Tool or Agent">
    | CallProblem<Target, Context>
  >,
  context?: Context,
) => void;
