import type { ToolConsequence } from "../tool-definition.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/** The real-world impact of a call; `"medium"` without it. */
export function consequence(consequence: ToolConsequence): ToolClassDecorator<"consequence"> {
  return classDecorator("consequence", { consequence });
}
