import type { JsonSchema } from "../schema/index.js";
import type { ToolContext } from "./tool-context.js";

/** What a call does: reads, writes, deletes, or has another side effect. See docs/02-tools.md. */
export type ToolCategory = "read" | "write" | "delete" | "side_effect";

/** The real-world impact of a call, independent of its category. See docs/02-tools.md. */
export type ConsequenceLevel = "low" | "medium" | "high";

/**
 * What a repeated call with the same arguments does: nothing (`"none"`), nothing more (`"idempotent"`), or the same again
 * (`"once"`).
 */
export type ToolEffect = "none" | "idempotent" | "once";

/** Whether a call needs a person's approval: always, never, or a function of the validated arguments; only `false` means no. */
export type ConfirmationRule<Input = Record<string, unknown>> =
  | boolean
  | ((input: Input, context: ToolContext) => boolean | Promise<boolean>);

/**
 * The key of calls that run one after another within a process: a string, a function that returns one, or `true` for the tool's
 * name.
 */
export type ExclusiveKey<Input = Record<string, unknown>> = true | string | ((input: Input, context: ToolContext) => string);

/** What happens to a call over a limit: it waits, in the order in which the calls came, or fails with `limit_exceeded`. */
export type WhenExceeded = "wait" | "reject";

/** What a limit of a tool's calls counts, and what happens to the calls over it. */
export interface LimitOptions<Input = Record<string, unknown>> {
  /** Gives the key of a call, from its arguments and its context: each key has the limit of its own. Default: one for all calls. */
  readonly key?: (input: Input, context: ToolContext) => string;
  /** Default: `"wait"`. */
  readonly whenExceeded?: WhenExceeded;
}

/** How many calls of a tool run at once. See docs/27-limits.md. */
export interface ConcurrencyLimit<Input = Record<string, unknown>> extends LimitOptions<Input> {
  readonly calls: number;
}

/** How many calls of a tool begin in any period of that length. See docs/27-limits.md. */
export interface RateLimit<Input = Record<string, unknown>> extends LimitOptions<Input> {
  readonly calls: number;
  /** Milliseconds. */
  readonly period: number;
}

/** What the caller's context must contain before a tool is sent to the model or can be called. */
export interface ToolAccess {
  /** All of these must be in `toolContext.scopes`. */
  readonly scopes?: readonly string[];
  /** All of these must be in `toolContext.roles`. */
  readonly roles?: readonly string[];
}

/** Who answers the calls of a tool that has no code: the client of the application, such as a page or its user. */
export type AnsweredBy = "client";

/** A tool that the model's provider runs, as the provider's package of the AI SDK takes it. */
export interface ProviderToolEntry {
  /** The full id: `anthropic.web_search_20260209`. */
  readonly id: string;
  /** The arguments in the AI SDK's form, as JSON. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** Where a tool's code runs, apart from the application: `@isolated`. See docs/26-isolation.md. */
export interface ToolIsolation {
  /** A worker thread, or a child process. Either can be ended while its code runs; a process may also crash. */
  readonly in: "worker" | "process";
  /** The file that exports the tool's class: `import.meta.url`, or `__filename` in CommonJS. */
  readonly module: string;
  /**
   * The module that makes the tool's services there: a path from `module` (`"./services.js"`), an absolute path or a `file:` URL. Its
   * default export, or its export `container`, is a container or a function that returns one.
   */
  readonly services?: string;
  /** The environment variables of the application that a process keeps, beside those that Node and the system need. */
  readonly environment?: readonly string[];
}

/** Arguments of a typical call, as JSON. */
export type ToolExample = Readonly<Record<string, unknown>>;

/** The resolved, frozen description of a tool class: `WeatherTool.definition`. See docs/02-tools.md. */
export interface ToolDefinition {
  /** The name that models and registries use: 1 to 128 characters, case-sensitive, such as `sayHello` or `org/ns/tool`. */
  readonly name: string;
  /** What the model reads to choose the tool. */
  readonly description: string;
  /** The JSON Schema of the arguments; always an object schema. */
  readonly parametersSchema: JsonSchema;
  /** The JSON Schema that results are checked against, if there is one. */
  readonly outputSchema?: JsonSchema;
  /** Arguments of typical calls that the model is shown, if the author wrote some. */
  readonly examples?: readonly ToolExample[];
  /** Milliseconds for one call; `Infinity` means no limit. Default: 10,000. */
  readonly timeout: number;
  /** What a call does. Default: `"side_effect"`. */
  readonly category: ToolCategory;
  /** The real-world impact of a call. Default: `"medium"`. */
  readonly consequenceLevel: ConsequenceLevel;
  /** Who answers the calls, if the tool has no code. Its calls always wait: `requiresConfirmation` is true. */
  readonly answeredBy?: AnsweredBy;
  /** What the provider runs in place of code, for a tool that `providerTool` made. */
  readonly providerTool?: ProviderToolEntry;
  /** Whether a person must approve calls. Default: false. */
  readonly requiresConfirmation: ConfirmationRule;
  /** What a repeated call with the same arguments does, if declared. */
  readonly effect?: ToolEffect;
  /** Whether a failed call may be tried again with the same arguments. Default: derived from `effect` and `category`. */
  readonly retryable: boolean;
  /** The key of calls that run one after another. */
  readonly exclusive?: ExclusiveKey;
  /** How many calls run at once. */
  readonly concurrency?: ConcurrencyLimit;
  /** How many calls begin in a period. */
  readonly rateLimit?: RateLimit;
  /** Tags to filter tools by. */
  readonly tags: readonly string[];
  /** The tool's own version. */
  readonly version?: string;
  /** The names of the tools that this one calls. */
  readonly dependsOn: readonly string[];
  /** The scopes and roles that the caller needs. */
  readonly access?: ToolAccess;
  /** Where the tool's code runs, if it doesn't run in the application. See docs/26-isolation.md. */
  readonly isolated?: ToolIsolation;
  /** Whether an agent's model must find the tool by a search before it can call it. See docs/23-many-tools.md. */
  readonly deferred?: boolean;
}
