import type { TypeToken } from "../../schema/index.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/**
 * The type of the result: it becomes the output schema, and every result is checked against it.
 *
 * ```ts
 * @returns(Forecast)
 * class WeatherTool extends Tool {}
 * ```
 */
export function returns(type: TypeToken): ToolClassDecorator<"returns"> {
  return classDecorator("returns", { returns: type });
}
