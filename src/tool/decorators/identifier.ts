import { classDecorator, type ToolOrAgentClassDecorator } from "./class-decorator.js";

/**
 * The name that models and registries know the class by; without it, the class name in snake_case.
 *
 * ```ts
 * @identifier("get_weather")
 * class WeatherTool extends Tool {}
 * ```
 */
export function identifier(name: string): ToolOrAgentClassDecorator<"identifier"> {
  return classDecorator("identifier", { identifier: name });
}
