import { ToolDefinitionError } from "../tool-errors.js";
import type {
  AnsweredBy,
  ConfirmationRule,
  ConcurrencyLimit,
  ExclusiveKey,
  RateLimit,
  ToolCategory,
  ConsequenceLevel,
  ToolEffect,
  ToolAccess,
  ToolIsolation,
} from "../tool-definition.js";
import { isOptions } from "../option-names.js";
import { insteadOfName } from "../unknown-name.js";
import { classDecorator } from "./class-decorator.js";
import type { CallProblem, ClassProblem, ToolLike } from "./compile-time/class-problem.js";
import type { Checked, Nothing } from "./compile-time/checked.js";
import type { ReturnsOption } from "./returns.js";
import type { RuleProblem } from "./compile-time/rule-problem.js";
import type { ToolClass } from "../tool-class.js";
import { policyNames } from "../definition/policy.js";

/**
 * All class decorators of a tool as one object, for `@tool`. Each member means the same as the decorator with its name. See
 * docs/02-tools.md.
 */
export interface ToolOptions<
  RuleInput = Record<string, unknown>,
  KeyInput = Record<string, unknown>,
  ConcurrencyInput = Record<string, unknown>,
  RateInput = Record<string, unknown>,
> {
  /** What the model reads to choose the tool. */
  readonly description?: string;
  /** The name that models and registries use. Default: the class name in snake_case. */
  readonly identifier?: string;
  /** Who answers the calls, if the class has no `call`. */
  readonly answeredBy?: AnsweredBy;
  /** The arguments of 1 to 5 typical calls, as the model would write them. */
  readonly examples?: readonly object[];
  /** Milliseconds for one call. Default: 10,000. */
  readonly timeout?: number;
  /** The type of the result; each result is checked. */
  readonly returns?: ReturnsOption;
  /** What a call does. Default: `"side_effect"`. */
  readonly category?: ToolCategory;
  /** The real-world impact of a call. Default: `"medium"`. */
  readonly consequenceLevel?: ConsequenceLevel;
  /** Whether a person must approve calls: `true`, or a function that returns false for calls that need no approval. */
  readonly requiresConfirmation?: ConfirmationRule<RuleInput>;
  /** What a repeated call with the same arguments does. */
  readonly effect?: ToolEffect;
  /** Whether a failed call may be tried again with the same arguments. Default: derived from `effect` and `category`. */
  readonly retryable?: boolean;
  /** Calls with the same key run one after another: `true` for all calls of the tool, a key, or a function that returns one. */
  readonly exclusive?: ExclusiveKey<KeyInput>;
  /** How many calls run at once: `{ calls: 3 }`. */
  readonly concurrency?: ConcurrencyLimit<ConcurrencyInput>;
  /** How many calls begin in a period of milliseconds: `{ calls: 100, period: 60_000 }`. */
  readonly rateLimit?: RateLimit<RateInput>;
  /** Tags to filter tools by. */
  readonly tags?: readonly string[];
  /** The tool's own version. */
  readonly version?: string;
  /** The tools that this one calls with `context.call`, by class or name. */
  readonly dependsOn?: readonly (string | ToolClass)[];
  /** The scopes and roles that the caller needs. */
  readonly access?: ToolAccess;
  /** Whether an agent's model must find the tool by a search before it can call it. Default: false. */
  readonly deferred?: boolean;
  /** The worker thread or process in which the tool's code runs: `{ in: "worker", module: import.meta.url }`. */
  readonly isolated?: ToolIsolation;
}

/**
 * Sets several class decorators at once:
 * `@tool({ description: "Deletes a file.", category: "delete", requiresConfirmation: true }) class DeleteFileTool extends Tool {}`.
 *
 * See docs/02-tools.md.
 */
export function tool<
  RuleInput extends object = Record<string, unknown>,
  KeyInput extends object = Record<string, unknown>,
  ConcurrencyInput extends object = Record<string, unknown>,
  RateInput extends object = Record<string, unknown>,
>(
  settings: ToolOptions<RuleInput, KeyInput, ConcurrencyInput, RateInput>,
): ToolOptionsDecorator<RuleInput, KeyInput, ConcurrencyInput, RateInput> {
  if (typeof settings !== "function" && !isOptions(settings))
    throw new ToolDefinitionError('@tool takes settings: @tool({ description: "Deletes a file." }).');
  const unknownName = Object.keys(settings).find((name) => !settingNames.includes(name));
  if (unknownName !== undefined) {
    throw new ToolDefinitionError(`@tool has no setting "${unknownName}". ${insteadOfName(unknownName, settingNames)}`);
  }
  return classDecorator("tool", settings);
}

/**
 * The return type of `@tool`: a decorator for classes that extend `Tool`. The compiler checks the arguments that its functions read
 * against the fields.
 */
export type ToolOptionsDecorator<RuleInput, KeyInput, ConcurrencyInput = Record<string, unknown>, RateInput = Record<string, unknown>> = <
  Target,
  Context = Nothing,
>(
  target: Checked<
    Target,
    | ClassProblem<Target, Context, ToolLike, "@tool is for a class that extends Tool">
    | CallProblem<Target, Context>
    | RuleProblem<Target, RuleInput, "requiresConfirmation">
    | RuleProblem<Target, KeyInput, "exclusive">
    | RuleProblem<Target, ConcurrencyInput, "concurrency">
    | RuleProblem<Target, RateInput, "rateLimit">
  >,
  context?: Context,
) => void;

const settingNames: readonly string[] = [
  "description",
  "identifier",
  "returns",
  "answeredBy",
  "examples",
  ...policyNames,
] satisfies (keyof ToolOptions)[];
