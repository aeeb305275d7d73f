import { classDecorator, type ToolOrAgentClassDecorator } from "./class-decorator.js";

/**
 * What the model reads to choose the tool, or to hand over to the agent. Say what it does and when to use it.
 *
 * ```ts
 * @description("Gets the current weather for a city. Use when the user asks about weather now.")
 * class WeatherTool extends Tool {}
 * ```
 */
export function description(text: string): ToolOrAgentClassDecorator<"description"> {
  return classDecorator("description", { description: text });
}
