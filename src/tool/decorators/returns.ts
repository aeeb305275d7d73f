import type { JsonSchema, TypeToken } from "../../schema/index.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/** The type of a tool's result: a type token, or a raw JSON Schema. */
export type ReturnsOption = TypeToken | { readonly schema: JsonSchema };

/**
 * The type of the result: it becomes the output schema, and every result is checked against it.
 *
 * ```ts
 * @returns(Forecast)
 * class WeatherTool extends Tool {}
 *
 * @returns({ schema: { type: "array", items: { type: "string" } } })
 * class CitiesTool extends Tool {}
 * ```
 */
export function returns(type: ReturnsOption): ToolClassDecorator<"returns"> {
  return classDecorator("returns", { returns: type });
}
