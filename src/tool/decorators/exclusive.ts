import type { ExclusiveKey } from "../tool-definition.js";
import { classDecorator } from "./class-decorator.js";
import type { RuleDecorator } from "./call-rule-check.js";

/**
 * Calls that share the key run one after another; without a key, all calls of this tool do. A function gets the
 * validated arguments as JSON and the context, as the rule of `@requiresConfirmation` does. The key holds within one process:
 * several processes need a lock that they share, such as one of the database.
 *
 * ```ts
 * @exclusive(({ account }: TransferTool) => `account:${account}`)
 * class TransferTool extends Tool {
 *   @required(String) account!: string;
 * }
 * ```
 */
export function exclusive<Input extends object = Record<string, unknown>>(
  key: ExclusiveKey<Input> = true,
): RuleDecorator<"exclusive", Input> {
  return classDecorator("exclusive", { exclusive: key });
}
