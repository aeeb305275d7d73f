import type { JsonSchema } from "../schema/index.js";
import { definitionOf } from "./definition/resolve-definition.js";
import type { ToolClass } from "./tool-class.js";
import type { ToolDefinition } from "./tool-definition.js";

const toolBrand = Symbol.for("toolwright.tool");

/**
 * The base of every tool. Each call gets a fresh instance whose properties are the validated arguments.
 *
 * ```ts
 * @description("Gets the current weather for a city. Use when the user asks about weather now.")
 * class WeatherTool extends Tool {
 *   @required(String, "The city name")
 *   city!: string;
 *
 *   async call({ abortSignal }: ToolContext) {
 *     return `Sunny in ${this.city}.`;
 *   }
 * }
 * ```
 *
 * What `call` returns is the result: any JSON-like value, or what `text()`, `json()` or `failure()` made.
 * What it throws becomes a failed result. `call` is the only reserved member name.
 */
export abstract class Tool {
  // Parameters of `call` may be decorated one by one (legacy dialect), so the base can't fix their types.
  // biome-ignore lint/suspicious/noExplicitAny: see above; each subclass's own signature is checked by its decorators
  abstract call(...parameters: any[]): unknown;

  /** The resolved, frozen definition, computed at first reading. Throws `ToolDefinitionError` for authors' mistakes. */
  static get definition(): ToolDefinition {
    return definitionOf(this as unknown as ToolClass);
  }

  /** The name that models and registries know the tool by. */
  static get identifier(): string {
    return definitionOf(this as unknown as ToolClass).name;
  }

  /** The JSON Schema of the arguments. */
  static get parametersSchema(): JsonSchema {
    return definitionOf(this as unknown as ToolClass).parametersSchema;
  }

  /** `instance instanceof Tool` holds for tools of another copy of the package (ESM beside CommonJS) too. */
  static [Symbol.hasInstance](instance: unknown): boolean {
    if (this !== Tool) return Function.prototype[Symbol.hasInstance].call(this, instance);
    return typeof instance === "object" && instance !== null && (instance as Record<symbol, unknown>)[toolBrand] === true;
  }
}

Object.defineProperty(Tool.prototype, toolBrand, { value: true });

/** True for a class that extends `Tool`, of any copy of the package. */
export const isToolClass = (value: unknown): value is ToolClass =>
  typeof value === "function" && (value.prototype as Record<symbol, unknown> | undefined)?.[toolBrand] === true;
