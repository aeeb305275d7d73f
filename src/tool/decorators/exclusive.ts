import type { ExclusiveKey } from "../tool-definition.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/**
 * Calls that share the key run one after another; without a key, all calls of this tool do.
 *
 * ```ts
 * @exclusive(({ account }) => `account:${account}`)
 * class TransferTool extends Tool {}
 * ```
 */
export function exclusive(key: ExclusiveKey = true): ToolClassDecorator<"exclusive"> {
  return classDecorator("exclusive", { exclusive: key });
}
