import type { ConfirmationRule } from "../tool-definition.js";
import { classDecorator } from "./class-decorator.js";
import type { RuleDecorator } from "./call-rule-check.js";

/**
 * A person must approve each call before it runs, or each one for which the rule answers anything but `false`. The rule gets the validated arguments as JSON. Say whose they are, and the compiler
 * checks what it reads:
 *
 * ```ts
 * @requiresConfirmation(({ amount }: PayTool) => amount > 100)
 * class PayTool extends Tool {
 *   @required(Number) amount!: number;
 * }
 * ```
 *
 * Of a class with dates they are `ArgumentsOf<PayTool>`. A rule that reads what isn't a parameter throws, and the call
 * doesn't run.
 */
export function requiresConfirmation<Input extends object = Record<string, unknown>>(
  rule: ConfirmationRule<Input> = true,
): RuleDecorator<"requiresConfirmation", Input> {
  return classDecorator("requiresConfirmation", { requiresConfirmation: rule });
}
