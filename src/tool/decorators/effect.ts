import type { ToolEffect } from "../tool-definition.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/**
 * What repeating a call with the same arguments does: `"none"` at all, nothing more (`"idempotent"`), or it
 * happens again (`"once"`). Repetition after a crash derives from it.
 */
export function effect(effect: ToolEffect): ToolClassDecorator<"effect"> {
  return classDecorator("effect", { effect });
}
