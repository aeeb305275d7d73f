import type { JsonSchema } from "../schema/index.js";
import type { Tool } from "./tool.js";
import type { ToolDefinition } from "./tool-definition.js";

/** A tool class: what agents, registries and servers take. See docs/02-tools.md. */
export interface ToolClass {
  // Constructor parameters are services of the application's container: their types can't be known here. `call` is abstract in
  // `Tool`; it is declared here, so that a class may extend this one and change its policy.
  // biome-ignore lint/suspicious/noExplicitAny: narrower types would refuse classes with injected services, and any `call`
  new (...services: any[]): Tool & { call(...parameters: any[]): unknown };
  /** The name of the class. */
  readonly name: string;
  /** The resolved, frozen definition. */
  readonly definition: ToolDefinition;
  /** The name that models and registries use. */
  readonly identifier: string;
  /** The JSON Schema of the arguments. */
  readonly parametersSchema: JsonSchema;
}

/** A named list of tools. Pass it to agents, registries and servers like a tool. */
export interface Toolbox {
  /** The name of the toolbox; registries use it in full names. */
  readonly name: string;
  /** The tool classes. */
  readonly tools: readonly ToolClass[];
  /** Whether an agent's model must find the tools by a search before it can call them. Set by `deferred`. */
  readonly deferred?: boolean;
  /** What the tools are for, in one line. If they are deferred, the model reads it beside the search. */
  readonly description?: string;
}
