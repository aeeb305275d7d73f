import type { ToolEffect } from "../tool-definition.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/**
 * What repeating a call with the same arguments does: `"none"` at all, nothing more (`"idempotent"`), or it
 * happens again (`"once"`). Whether a call may be repeated after a failure, a timeout or a crash derives from it.
 */
export function effect(effect: ToolEffect): ToolClassDecorator<"effect"> {
  return classDecorator("effect", { effect });
}
