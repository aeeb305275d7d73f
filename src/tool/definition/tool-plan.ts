import type { Fault, Repair, Result } from "../../schema/index.js";
import type { ValidateOptions } from "../../schema/internal.js";
import type { Tool } from "../tool.js";
import type { ToolContext } from "../tool-context.js";
import type { ToolDefinition } from "../tool-definition.js";

/** Arguments that passed every rule, ready to be given to an instance. */
export interface ReadyInput {
  /** Plain JSON with defaults applied: what a person confirms, what is hashed and recorded. */
  readonly input: Record<string, unknown>;
  /** As `input`, without the defaults of Standard Schemas. Left out: the same. */
  readonly sent?: Record<string, unknown>;
  /** The input doesn't fit the schema on the wire: a Standard Schema read it in a way of its own, and its defaults aren't part of it. */
  readonly isCoerced?: true;
  /** What the instance gets: as `input`, with nested classes as instances, dates as `Date`. */
  readonly values: Record<string, unknown>;
  readonly repairs?: readonly Repair[];
}

export type InputReading = Result<ReadyInput, readonly Fault[]>;

/**
 * Everything about a tool class that a call needs, resolved once per class (`planOf(WeatherTool)`).
 * The executor alone uses it.
 */
export interface ToolPlan {
  readonly definition: ToolDefinition;
  /** Made by `createTool`: a function runs, and no container needs to know the class. */
  readonly created?: true;
  /**
   * Schema and defaults, class-transformer, Standard Schemas, class-validator, in that order. Answers
   * synchronously unless the class has asynchronous rules. `owned` and `repair` as in `ValidateOptions`.
   */
  readInput(value: unknown, options: ValidateOptions): InputReading | Promise<InputReading>;
  /** Values by the names of the parameters: those of an `@input` class are beside the others. `undefined`: they are by name as they are. */
  readonly byParameter?: (values: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /**
   * Throws `ToolDefinitionError` if a field is initialized with another value than its default, because the default would silently replace
   * it. `undefined` if there are no defaults, and once an instance has passed.
   */
  inspect: ((instance: Tool) => void) | undefined;
  /** Assigns the values to a fresh instance, after its construction, and runs its `call`. */
  run(instance: Tool, ready: ReadyInput, context: ToolContext): unknown;
  /** Checks what `call` gave against the output schema. `undefined` if the tool declares none. */
  readonly readOutput?: (value: unknown) => Result<unknown, readonly Fault[]>;
}
