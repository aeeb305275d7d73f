import type { ToolCategory } from "../tool-definition.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/**
 * Sets what a call does: `@category("read")`, `"write"`, `"delete"` or `"side_effect"` (the default).
 *
 * It decides which calls may be repeated after a failure, and which tools a profile allows. See docs/02-tools.md.
 */
export function category(category: ToolCategory): ToolClassDecorator<"category"> {
  return classDecorator("category", { category });
}
