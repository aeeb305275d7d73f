import type { Tool } from "../../tool/index.js";
import { originalOf, type ToolPlan } from "../../tool/internal.js";
import { instanceToLookAt } from "./container.js";
import type { BoundTool } from "../prepared-call.js";

/** Looks at the first instance of a class for what its author did wrong. Throws `ToolDefinitionError`. */
export function inspectFirst(plan: ToolPlan, instance: Tool): void {
  plan.inspect?.(instance);
  plan.inspect = undefined;
}

/** The same before a person is asked: an approval would be used up by a call that can't run. */
export function inspectBeforeAsking({ plan, toolClass }: BoundTool): void {
  const instance = plan.inspect && instanceToLookAt(originalOf(toolClass));
  if (instance !== undefined) inspectFirst(plan, instance);
}
