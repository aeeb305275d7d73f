import type { JsonSchema } from "../schema/index.js";
import type { ToolContext } from "./tool-context.js";

/** What a call does to the world. */
export type ToolCategory = "read" | "write" | "delete" | "side_effect";

/** Real-world impact, independent of the category. */
export type ToolConsequence = "low" | "medium" | "high";

/** What repeating a call with the same arguments does: nothing at all, nothing more, or it happens again. */
export type ToolEffect = "none" | "idempotent" | "once";

/** Whether a call needs a person's approval: always, never, or for all validated arguments for which the rule doesn't answer `false`. */
export type ConfirmationRule<Input = Record<string, unknown>> =
  | boolean
  | ((input: Input, context: ToolContext) => boolean | Promise<boolean>);

/** Calls that share a key run one after another within a process. `true` means the tool's own name. */
export type ExclusiveKey<Input = Record<string, unknown>> = true | string | ((input: Input, context: ToolContext) => string);

/** What the context must carry before the tool is shown or callable. */
export interface ToolRequirements {
  readonly scopes?: readonly string[];
  readonly roles?: readonly string[];
}

/** The resolved, frozen description of a tool class: `WeatherTool.definition`. */
export interface ToolDefinition {
  /** 1 to 128 characters, exact and case-sensitive; `sayHello` and `org/ns/tool` are legal. */
  readonly name: string;
  /** What the model reads to choose the tool. */
  readonly description: string;
  /** The JSON Schema of the arguments; always an object schema. */
  readonly parametersSchema: JsonSchema;
  /** The JSON Schema that results are checked against, where one was given. */
  readonly outputSchema?: JsonSchema;
  /** Milliseconds; `Infinity` means none. */
  readonly timeout: number;
  readonly category: ToolCategory;
  readonly consequence: ToolConsequence;
  readonly requiresConfirmation: ConfirmationRule;
  readonly effect?: ToolEffect;
  readonly retryable: boolean;
  readonly exclusive?: ExclusiveKey;
  readonly tags: readonly string[];
  readonly version?: string;
  readonly dependsOn: readonly string[];
  readonly requires?: ToolRequirements;
}
