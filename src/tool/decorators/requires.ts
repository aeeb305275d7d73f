import type { ToolRequirements } from "../tool-definition.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/**
 * What the context must carry before the tool is shown or callable.
 *
 * ```ts
 * @requires({ scopes: ["payments:write"], roles: ["admin"] })
 * class PayTool extends Tool {}
 * ```
 */
export function requires(requirements: ToolRequirements): ToolClassDecorator<"requires"> {
  return classDecorator("requires", { requires: requirements });
}
