import type { JsonSchema } from "../schema/index.js";
import { definitionOf } from "./definition/resolve-definition.js";
import type { ToolClass } from "./tool-class.js";
import type { ToolDefinition } from "./tool-definition.js";

const toolBrand = Symbol.for("toolwright.tool");

declare abstract class WithCall {
  /** Runs the tool. Receives the `ToolContext` and, with decorated parameters, their values. */
  // Parameters of `call` may be decorated one by one (legacy dialect), so the base can't fix their types.
  // biome-ignore lint/suspicious/noExplicitAny: see above; each subclass's own signature is checked by its decorators
  abstract call(...parameters: any[]): unknown;
}

interface WithoutCall {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  call(...parameters: any[]): unknown;
}

/**
 * An instance of a tool class: one call of the tool, with the arguments as its fields.
 *
 * The compiler takes a method of an intersection for declared and for implemented. It requires neither `call`, which a tool that is answered
 * elsewhere doesn't have, nor `override` before it. See docs/02-tools.md.
 */
export type Tool = WithCall & WithoutCall;

type MadeBySubclass = abstract new () => Tool;

/** What `Tool` is to the classes that extend it. See docs/02-tools.md. */
export interface ToolConstructor extends MadeBySubclass {
  readonly prototype: Tool;
  /** The resolved, frozen definition, computed when it is first read. Throws `ToolDefinitionError` if it is invalid. */
  readonly definition: ToolDefinition;
  /** The name that models and registries use. */
  readonly identifier: string;
  /** The JSON Schema of the arguments. */
  readonly parametersSchema: JsonSchema;
}

/**
 * The base class of tools. Each call creates an instance whose fields are the validated arguments.
 *
 * - describe the class: `@description("Gets the current weather for a city. Use when the user asks about weather now.")`
 * - declare parameters as fields: `@required(String, "The city name") city!: string`
 * - implement `call`: ``async call({ abortSignal }: ToolContext) { return `Sunny in ${this.city}.`; }``
 *
 * The return value of `call` is the result: any value that can be converted to JSON, or `text()`, `json()` or `failure()`. An error
 * that it throws becomes a failed result. `call` is the only reserved member name. A tool with `@answeredBy("client")` has none. See
 * docs/02-tools.md.
 */
export const Tool: ToolConstructor = baseClass();

function baseClass(): ToolConstructor {
  // A class in an object has the name of its member, even if a bundler renames variables.
  const named = {
    Tool: class {
      static get definition(): ToolDefinition {
        // In this member and the next two, `this` is the subclass on which it is read.
        return definitionOf(this as unknown as ToolClass);
      }

      static get identifier(): string {
        return definitionOf(this as unknown as ToolClass).name;
      }

      static get parametersSchema(): JsonSchema {
        return definitionOf(this as unknown as ToolClass).parametersSchema;
      }

      /** `instance instanceof Tool` also accepts tools of another copy of the package (ESM and CommonJS). */
      static [Symbol.hasInstance](instance: unknown): boolean {
        if (this !== named.Tool) return Function.prototype[Symbol.hasInstance].call(this, instance);
        return typeof instance === "object" && instance !== null && (instance as Record<symbol, unknown>)[toolBrand] === true;
      }
    },
  };
  // Instances have the `call` of their own class, or none.
  return named.Tool as unknown as ToolConstructor;
}

Object.defineProperty(Tool.prototype, toolBrand, { value: true });

/** Whether a value is a class that extends `Tool`, of any copy of the package. See docs/02-tools.md. */
export const isToolClass = (value: unknown): value is ToolClass =>
  typeof value === "function" && (value.prototype as Record<symbol, unknown> | undefined)?.[toolBrand] === true;
