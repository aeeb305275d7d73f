import type { ExclusiveKey } from "../tool-definition.js";
import { classDecorator } from "./class-decorator.js";
import type { RuleDecorator } from "./call-rule-check.js";

/**
 * Runs calls with the same key one after another. Without an argument, all calls of the tool share a key.
 *
 * - `@exclusive()`
 * - ``@exclusive(({ account }: TransferTool) => `account:${account}`)``
 *
 * The function receives the validated arguments as JSON, and the context. The key applies within one process: for several processes
 * use a shared lock, such as one of your database. See docs/02-tools.md.
 */
export function exclusive<Input extends object = Record<string, unknown>>(
  key: ExclusiveKey<Input> = true,
): RuleDecorator<"exclusive", Input> {
  return classDecorator("exclusive", { exclusive: key });
}
