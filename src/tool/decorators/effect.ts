import type { ToolEffect } from "../tool-definition.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/**
 * Sets what a repeated call with the same arguments does: nothing (`@effect("none")`), nothing more (`"idempotent"`), or the same
 * again (`"once"`).
 *
 * It decides whether a call may be repeated after a failure, a timeout or a crash. See docs/02-tools.md.
 */
export function effect(effect: ToolEffect): ToolClassDecorator<"effect"> {
  return classDecorator("effect", { effect });
}
