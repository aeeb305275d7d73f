import {
  isStandardSchema,
  type JsonSchema,
  type Result,
  type StandardInput,
  type StandardOutput,
  type StandardSchema,
} from "../schema/index.js";
import { isPromiseLike } from "./is-promise-like.js";
import { type CreatedTool, examplesIn, freezeDefinition, type ResolvedTool, registerCreated } from "./definition/resolve-definition.js";
import { ToolDefinitionError } from "./tool-errors.js";
import { isOptions } from "./option-names.js";
import { refuseIsolatedFunction } from "./definition/isolation.js";
import { policyNames, resolvePolicy, type ToolPolicy } from "./definition/policy.js";
import { acceptRawSchema } from "./definition/raw-schema.js";
import { ShapeBuilder } from "./definition/shape-builder.js";
import { Tool } from "./tool.js";
import type { ToolClass } from "./tool-class.js";
import type { ToolContext } from "./tool-context.js";
import type { ConcurrencyLimit, ConfirmationRule, ExclusiveKey, RateLimit } from "./tool-definition.js";
import { type ForeignNames, foreignToConfig, refuseForeignNames } from "./foreign-names.js";
import { checkName } from "./definition/tool-name.js";
import { failure, isToolResponse } from "./tool-response.js";
import { refuseUnknown } from "./unknown-name.js";
import { shapeOfResult, shapeOfToken, type ValueShape } from "./definition/value-shape.js";

/** A schema for `createTool`: a JSON Schema (draft-07 or 2020-12) or a Standard Schema, such as zod's. */
export type FlexibleSchema = JsonSchema | StandardSchema;

/** The arguments that `execute` receives: the output type of a Standard Schema, else an object. */
export type ToolInput<Schema> = Schema extends { readonly "~standard": unknown } ? StandardOutput<Schema> : Record<string, unknown>;

/**
 * The arguments that the functions of `requiresConfirmation`, `exclusive` and limits receive: validated JSON, before a Standard Schema
 * transforms it.
 */
export type RuleInput<Schema> = Schema extends { readonly "~standard": unknown }
  ? unknown extends StandardInput<Schema>
    ? Record<string, unknown>
    : StandardInput<Schema>
  : Record<string, unknown>;

/** Options of `createTool`. See docs/02-tools.md. */
export interface ToolConfig<Schema extends FlexibleSchema = FlexibleSchema>
  extends Omit<Partial<ToolPolicy>, "requiresConfirmation" | "exclusive" | "concurrency" | "rateLimit" | "dependsOn" | "isolated"> {
  /** The name that models and registries use: 1 to 128 characters. */
  readonly name: string;
  /** What the model reads to choose the tool: what it does, and when to use it. */
  readonly description: string;
  /** The schema of the arguments: an object. */
  readonly inputSchema: Schema;
  /** The schema that results are checked against. */
  readonly outputSchema?: FlexibleSchema;
  /** The arguments of 1 to 5 typical calls, as the model would write them. */
  readonly examples?: readonly RuleInput<Schema>[];
  /**
   * Whether a person must approve calls: `true`, or a function that returns false for calls that need no approval. It receives the
   * validated arguments as JSON.
   */
  readonly requiresConfirmation?: ConfirmationRule<RuleInput<Schema>>;
  /** Calls with the same key run one after another: `true` for all calls of the tool, a key, or a function that returns one. */
  readonly exclusive?: ExclusiveKey<RuleInput<Schema>>;
  /** How many calls run at once: `{ calls: 3 }`. */
  readonly concurrency?: ConcurrencyLimit<RuleInput<Schema>>;
  /** How many calls begin in a period of milliseconds: `{ calls: 100, period: 60_000 }`. */
  readonly rateLimit?: RateLimit<RuleInput<Schema>>;
  /** The tools that this one calls with `context.call`, by class or name. */
  readonly dependsOn?: readonly (string | ToolClass)[];
  /**
   * Runs the call. Return a value, a `Result` (`{ ok: false, error }` fails the call), or `text()`, `json()`, `failure()`; or
   * throw.
   */
  readonly execute: (input: ToolInput<Schema>, context: ToolContext) => unknown;
}

/**
 * Makes a tool from a schema and a function, without a class. The result is a tool class like any other.
 *
 * ```ts
 * const GetWeather = createTool({
 *   name: "get_weather",
 *   description: "Gets the current weather for a city. Use when the user asks about weather now.",
 *   inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
 *   execute: async ({ city }) => ({ city, temperature: 21 }),
 * });
 * ```
 *
 * Times are milliseconds; the default timeout is 10,000. Throws `ToolDefinitionError` if an option is invalid. See
 * docs/02-tools.md.
 */
export function createTool<const Schema extends FlexibleSchema>(
  config: ToolConfig<Schema> & ForeignNames<"createTool", typeof foreignToConfig>,
): ToolClass;
/**
 * Makes a tool from name, description, schema and function:
 * `createTool("ping", "Checks the connection.", { type: "object" }, () => "pong")`.
 *
 * Throws `ToolDefinitionError` if an argument is invalid. See docs/02-tools.md.
 */
export function createTool<const Schema extends FlexibleSchema>(
  name: string,
  description: string,
  schema: Schema,
  invoke: (input: ToolInput<Schema>, context: ToolContext) => unknown,
): ToolClass;
export function createTool(
  first: string | ToolConfig,
  description?: string,
  schema?: FlexibleSchema,
  invoke?: (input: never, context: ToolContext) => unknown,
): ToolClass {
  const config = typeof first === "string" ? { name: first, description, inputSchema: schema, execute: invoke } : first;
  return makeTool(config as ToolConfig);
}

function makeTool(config: ToolConfig): ToolClass {
  if (!isOptions(config)) {
    throw new ToolDefinitionError(
      "createTool: takes { name, description, inputSchema, execute }, or name, description, schema and function.",
    );
  }
  refuseForeignNames(config, foreignToConfig, "createTool");
  const name = checkName(config.name, "createTool");
  refuseUnknown(config, configNames, `createTool "${name}"`);
  if (typeof config.description !== "string" || config.description.trim() === "") {
    throw new ToolDefinitionError(`createTool "${name}": the description is empty, so no model can know when to use the tool.`);
  }
  const { execute } = config;
  if (typeof execute !== "function") {
    throw new ToolDefinitionError(`createTool "${name}": execute must be a function of (input, context), got ${typeof execute}.`);
  }
  if ((config as ToolPolicy).isolated !== undefined) refuseIsolatedFunction(`createTool "${name}"`);
  const builder = new ShapeBuilder();
  const input = takeSchema(config.inputSchema, `createTool "${name}" inputSchema`, builder, shapeOfToken);
  const parametersSchema = asObjectSchema(builder.withDefinitions(input.schema), name);
  if (builder.selfValidating.has(input.schema)) builder.selfValidating.add(parametersSchema);
  const outputBuilder = new ShapeBuilder("output");
  const output =
    config.outputSchema === undefined
      ? undefined
      : takeSchema(config.outputSchema, `createTool "${name}" outputSchema`, outputBuilder, shapeOfResult);
  const created: CreatedTool = {
    input,
    execute: (values, context) => afterExecute((execute as (input: unknown, context: unknown) => unknown)(values, context)),
  };
  const resolved: ResolvedTool = {
    definition: freezeDefinition({
      name,
      description: config.description,
      parametersSchema,
      ...(output === undefined ? {} : { outputSchema: outputBuilder.withDefinitions(output.schema) }),
      // Interfaces have no index signature; members are read by name and checked.
      ...resolvePolicy(config as unknown as Record<string, unknown>, `createTool "${name}"`),
      ...examplesIn(config.examples, parametersSchema, `createTool "${name}"`),
    }),
    fields: [],
    inputs: [],
    signature: { parameters: [], positions: [] },
    builder,
    ...(output === undefined ? {} : { output: { shape: output, builder: outputBuilder } }),
    created,
  };
  const toolClass = class extends Tool {
    override call(): never {
      throw new Error(`The tool "${name}" was made by createTool: call it through an agent, the executor or invokeTool.`);
    }
  };
  Object.defineProperty(toolClass, "name", { value: name, configurable: true });
  registerCreated(toolClass, resolved);
  // Its `call` never returns, so that the compiler takes it for another kind of class.
  return toolClass as unknown as ToolClass;
}

const configNames: readonly string[] = [
  "name",
  "description",
  "inputSchema",
  "outputSchema",
  "examples",
  "answeredBy",
  "execute",
  ...policyNames,
];

function takeSchema(schema: unknown, owner: string, builder: ShapeBuilder, shapeOf: typeof shapeOfToken): ValueShape {
  return isStandardSchema(schema) ? shapeOf(schema, owner, builder) : { schema: acceptRawSchema(schema, owner) };
}

/** Every provider wants an object at the root, named as one: a union of objects is carried inside it. */
function asObjectSchema(schema: JsonSchema, name: string): JsonSchema {
  if (schema.type === "object") return schema;
  if (schema.type === undefined) return { type: "object", ...schema };
  throw new ToolDefinitionError(
    `createTool "${name}": the arguments of a tool are an object, but inputSchema says type ${JSON.stringify(schema.type)}. ` +
      'Wrap it: { type: "object", properties: { value: ... } }.',
  );
}

/** A `Result` says by itself whether the call failed. */
function afterExecute(returned: unknown): unknown {
  return isPromiseLike(returned) ? Promise.resolve(returned).then(unwrapResult) : unwrapResult(returned);
}

function unwrapResult(returned: unknown): unknown {
  if (typeof returned !== "object" || returned === null || isToolResponse(returned)) return returned;
  const result = returned as Result<unknown, unknown>;
  if (result.ok === true && "value" in result && Object.keys(result).length === 2) return result.value;
  if (result.ok === false && "error" in result && Object.keys(result).length === 2) {
    if (result.error instanceof Error) throw result.error;
    // The executor writes an error of another type as JSON, as it does with results.
    return failure((result.error ?? "The tool failed, and gave no reason.") as string);
  }
  return returned;
}
