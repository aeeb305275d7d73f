import { createTool, type FlexibleSchema, type ToolConfig, type ToolInput } from "./create-tool.js";
import type { ToolPolicy } from "./definition/policy.js";
import { type ForeignNames, foreignToUniversal, ownerOf, refuseForeignNames } from "./foreign-names.js";
import { isOptions } from "./option-names.js";
import type { ToolClass } from "./tool-class.js";
import type { ToolContext } from "./tool-context.js";
import type { ToolExample } from "./tool-definition.js";
import { ToolDefinitionError } from "./tool-errors.js";
import { failure, jsonWith } from "./tool-response.js";
import type { ToolResult } from "./tool-result.js";
import { refuseUnknown } from "./unknown-name.js";

/**
 * A tool as a plain object whose `execute` returns a `ToolResult` and doesn't throw. `createToolDefinition` makes a tool class from
 * it, `universalDefinition` makes it from a class.
 */
export interface UniversalToolDefinition<Schema extends FlexibleSchema = FlexibleSchema> {
  /** The name that models and registries use. */
  readonly name: string;
  /** What the model reads to choose the tool. */
  readonly description: string;
  /** The schema of the arguments. */
  readonly schema: Schema;
  /** The arguments of 1 to 5 typical calls, as the model would write them. */
  readonly examples?: readonly ToolExample[];
  /** What a call does. */
  readonly category: ToolPolicy["category"];
  /** The real-world impact of a call. */
  readonly consequenceLevel: ToolPolicy["consequenceLevel"];
  /** Whether a person must approve each call. */
  readonly requiresConfirmation: boolean;
  /** Milliseconds. Default: 15,000. */
  readonly timeout?: number;
  /** Runs the call with validated arguments. */
  readonly execute: (params: ToolInput<Schema>, context: ToolContext) => ToolResult | Promise<ToolResult>;
  readonly tags?: readonly string[];
  readonly version?: string;
  /** The names of the tools that this one calls. */
  readonly dependsOn?: readonly string[];
}

const universalNames: readonly string[] = [
  ...["name", "description", "schema", "category", "consequenceLevel", "requiresConfirmation", "timeout", "execute"],
  ...["tags", "version", "dependsOn", "examples"],
];

/** Milliseconds. */
const universalTimeout = 15_000;

/** The members that every definition of the universal shape has, and a line to write for each. */
const requiredMembers: Readonly<Record<string, string>> = {
  name: 'name: "get_weather"',
  description: 'description: "What it does. Use when ..."',
  schema: 'schema: { type: "object", properties: {} }',
  category: 'category: "read"',
  consequenceLevel: 'consequenceLevel: "low"',
  requiresConfirmation: "requiresConfirmation: false",
  execute: "execute: async (params, context) => ({ tool, fetchedAt, data })",
};

/** A guessed policy would be one that no one has reviewed. */
function refuseMissing(universal: object, owner: string): void {
  const missing = Object.keys(requiredMembers).filter((name) => (universal as Record<string, unknown>)[name] === undefined);
  if (missing.length === 0) return;
  const lines = missing.map((name) => requiredMembers[name]).join(", ");
  throw new ToolDefinitionError(`${owner}: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing. Write: ${lines}.`);
}

/**
 * Makes a tool class from a plain object whose `execute` returns a `ToolResult`. The default timeout is 15,000 ms.
 *
 * Throws `ToolDefinitionError` if the definition is invalid. See docs/02-tools.md.
 */
export function createToolDefinition<const Schema extends FlexibleSchema>(
  universal: UniversalToolDefinition<Schema> & ForeignNames<"createToolDefinition", typeof foreignToUniversal>,
): ToolClass {
  if (!isOptions(universal)) {
    throw new ToolDefinitionError("createToolDefinition: takes { name, description, schema, category, execute, ... }.");
  }
  refuseForeignNames(universal, foreignToUniversal, "createToolDefinition");
  const owner = ownerOf(universal, "createToolDefinition");
  refuseUnknown(universal, universalNames, owner);
  refuseMissing(universal, owner);
  const { schema, consequenceLevel, execute, timeout = universalTimeout, ...rest } = universal;
  if (typeof execute !== "function") {
    throw new ToolDefinitionError(`${owner}: execute must be a function of (params, context), got ${typeof execute}.`);
  }
  return createTool({
    ...rest,
    timeout,
    consequenceLevel: consequenceLevel,
    inputSchema: schema,
    execute: async (input: ToolInput<Schema>, context: ToolContext) => {
      const result: ToolResult | undefined = await execute(input, context);
      if (typeof result !== "object" || result === null || !("data" in result || "error" in result)) {
        throw new TypeError(
          `Tool "${rest.name}": execute must return a ToolResult, { data } or { error, errorType }, got ${typeof result === "object" && result !== null ? `an object with ${Object.keys(result).join(", ") || "no members"}` : String(result)}.`,
        );
      }
      return typeof result.error === "string" ? failure(result.error, result.errorType) : jsonWith(result.data, result.attachments);
    },
  } as ToolConfig<Schema>);
}
