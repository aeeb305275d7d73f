import type { ToolConsequence } from "../tool-definition.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/**
 * Sets the real-world impact of a call: `@consequence("low")`, `"medium"` (the default) or `"high"`.
 *
 * People see it when they approve a call, and `autoApprove` compares it. See docs/02-tools.md.
 */
export function consequence(consequence: ToolConsequence): ToolClassDecorator<"consequence"> {
  return classDecorator("consequence", { consequence });
}
