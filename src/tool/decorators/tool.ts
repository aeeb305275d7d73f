import { ToolDefinitionError } from "../tool-errors.js";
import type { ConfirmationRule, ExclusiveKey, ToolCategory, ToolConsequence, ToolEffect, ToolRequirements } from "../tool-definition.js";
import { isOptions } from "../option-names.js";
import { insteadOfName } from "../unknown-name.js";
import { type CallProblem, type ClassProblem, classDecorator, type ToolLike } from "./class-decorator.js";
import type { Nothing } from "./member-at.js";
import type { Checked } from "./parameter-check.js";
import type { ReturnsOption } from "./returns.js";
import type { RuleProblem } from "./call-rule-check.js";

/** Every class decorator as one object; each member means what the decorator of its name does. */
export interface ToolSettings<RuleInput = Record<string, unknown>, KeyInput = Record<string, unknown>> {
  readonly description?: string;
  readonly identifier?: string;
  readonly timeout?: number;
  readonly returns?: ReturnsOption;
  readonly category?: ToolCategory;
  readonly consequence?: ToolConsequence;
  readonly requiresConfirmation?: ConfirmationRule<RuleInput>;
  readonly effect?: ToolEffect;
  readonly retryable?: boolean;
  readonly exclusive?: ExclusiveKey<KeyInput>;
  readonly tags?: readonly string[];
  readonly version?: string;
  readonly dependsOn?: readonly string[];
  readonly requires?: ToolRequirements;
}

/**
 * All class decorators in one.
 *
 * ```ts
 * @tool({ description: "Deletes a file.", category: "delete", consequence: "high", requiresConfirmation: true })
 * class DeleteFileTool extends Tool {}
 * ```
 */
export function tool<RuleInput extends object = Record<string, unknown>, KeyInput extends object = Record<string, unknown>>(
  settings: ToolSettings<RuleInput, KeyInput>,
): ToolSettingsDecorator<RuleInput, KeyInput> {
  if (typeof settings !== "function" && !isOptions(settings))
    throw new ToolDefinitionError('@tool takes settings: @tool({ description: "Deletes a file." }).');
  const unknownName = Object.keys(settings).find((name) => !Object.hasOwn(settingNames, name));
  if (unknownName !== undefined) {
    throw new ToolDefinitionError(`@tool has no setting "${unknownName}". ${insteadOfName(unknownName, Object.keys(settingNames))}`);
  }
  return classDecorator("tool", settings);
}

/** The decorator of `@tool`: for classes that extend `Tool`, whose fields its functions read. */
export type ToolSettingsDecorator<RuleInput, KeyInput> = <Target, Context = Nothing>(
  target: Checked<
    Target,
    | ClassProblem<Target, Context, ToolLike, "@tool is for a class that extends Tool">
    | CallProblem<Target, Context>
    | RuleProblem<Target, RuleInput, "requiresConfirmation">
    | RuleProblem<Target, KeyInput, "exclusive">
  >,
  context?: Context,
) => void;

/** The names of the settings; the type makes it complete. */
const settingNames: Readonly<Record<keyof ToolSettings, true>> = {
  description: true,
  identifier: true,
  timeout: true,
  returns: true,
  category: true,
  consequence: true,
  requiresConfirmation: true,
  effect: true,
  retryable: true,
  exclusive: true,
  tags: true,
  version: true,
  dependsOn: true,
  requires: true,
};
