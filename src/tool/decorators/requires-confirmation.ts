import type { ConfirmationRule } from "../tool-definition.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/**
 * A person must approve each call before it runs, or each one for which the rule answers true
 * (seed 003, "requiresConfirmation"). The rule gets the validated arguments.
 *
 * ```ts
 * @requiresConfirmation(({ amount }) => Number(amount) > 100)
 * class PayTool extends Tool {}
 * ```
 */
export function requiresConfirmation(rule: ConfirmationRule = true): ToolClassDecorator<"requiresConfirmation"> {
  return classDecorator("requiresConfirmation", { requiresConfirmation: rule });
}
