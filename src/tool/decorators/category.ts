import type { ToolCategory } from "../tool-definition.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/** What a call does to the world; `"side_effect"` without it. */
export function category(category: ToolCategory): ToolClassDecorator<"category"> {
  return classDecorator("category", { category });
}
