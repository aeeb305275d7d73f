import { classDecorator, type ToolOrAgentClassDecorator } from "./class-decorator.js";

/**
 * Sets the name that models and registries use: `@identifier("get_weather")`. Default: the class name in snake_case. See
 * docs/02-tools.md.
 */
export function identifier(name: string): ToolOrAgentClassDecorator<"identifier"> {
  return classDecorator("identifier", { identifier: name });
}
