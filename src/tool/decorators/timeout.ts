import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/**
 * How long one call may take, in milliseconds; 10,000 without it.
 * `Infinity` or 0 means no limit.
 */
export function timeout(milliseconds: number): ToolClassDecorator<"timeout"> {
  return classDecorator("timeout", { timeout: milliseconds });
}
