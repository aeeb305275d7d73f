import type { JsonSchema, TypeToken } from "../../schema/index.js";
import { classDecorator, type ToolOrAgentClassDecorator } from "./class-decorator.js";

/** The type of a tool's result, or of an agent's answer: a type token, or a raw JSON Schema. */
export type ReturnsOption = TypeToken | { readonly schema: JsonSchema };

/**
 * The type of a tool's result: it becomes the output schema, and every result is checked against it. Of an agent's
 * answer: the model is asked for JSON of this type, and `response.output` is what came of it.
 *
 * ```ts
 * @returns(Forecast)
 * class WeatherTool extends Tool {}
 *
 * @returns({ schema: { type: "array", items: { type: "string" } } })
 * class CitiesTool extends Tool {}
 *
 * @returns(Report)
 * class ReportAgent extends Agent<Report> {}
 * ```
 */
export function returns(type: ReturnsOption): ToolOrAgentClassDecorator<"returns"> {
  return classDecorator("returns", { returns: type });
}
