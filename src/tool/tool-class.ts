import type { JsonSchema } from "../schema/index.js";
import type { Tool } from "./tool.js";
import type { ToolDefinition } from "./tool-definition.js";

/** The class of a tool: what agents, registries and servers take. */
export interface ToolClass {
  // Constructor parameters are services of the application's container: their types can't be known here. That `call` is there,
  // which is abstract in `Tool`, lets a class extend this one to say something else of it.
  // biome-ignore lint/suspicious/noExplicitAny: narrower types would refuse classes with injected services, and any `call`
  new (...services: any[]): Tool & { call(...parameters: any[]): unknown };
  readonly name: string;
  readonly definition: ToolDefinition;
  readonly identifier: string;
  readonly parametersSchema: JsonSchema;
}

/** A named group of tools. */
export interface Toolbox {
  readonly name: string;
  readonly tools: readonly ToolClass[];
}
