import type { ToolRequirements } from "../tool-definition.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/**
 * Requires scopes and roles in the caller's context: `@requires({ scopes: ["payments:write"], roles: ["admin"] })`.
 *
 * Without them, the tool isn't sent to the model and can't be called. See docs/02-tools.md.
 */
export function requires(requirements: ToolRequirements): ToolClassDecorator<"requires"> {
  return classDecorator("requires", { requires: requirements });
}
