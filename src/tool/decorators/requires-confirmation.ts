import type { ConfirmationRule } from "../tool-definition.js";
import { classDecorator } from "./class-decorator.js";
import type { RuleDecorator } from "./call-rule-check.js";

/**
 * Requires that a person approves each call before it runs, or each call for which the function doesn't return `false`.
 *
 * - `@requiresConfirmation()`
 * - `@requiresConfirmation(({ amount }: PayTool) => amount > 100)`
 *
 * The function receives the validated arguments as JSON, and the context; annotate its parameter, and the compiler checks what it
 * reads (`ArgumentsOf<PayTool>` if the class has dates). If it throws, the call doesn't run. See docs/04-confirmation.md.
 */
export function requiresConfirmation<Input extends object = Record<string, unknown>>(
  rule: ConfirmationRule<Input> = true,
): RuleDecorator<"requiresConfirmation", Input> {
  return classDecorator("requiresConfirmation", { requiresConfirmation: rule });
}
