import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/**
 * Limits the time of one call, in milliseconds: `@timeout(5_000)`. Default: 10,000. `Infinity` or 0 means no limit.
 *
 * After that the call fails with `timeout_error`, and the context's `abortSignal` is aborted. See docs/02-tools.md.
 */
export function timeout(milliseconds: number): ToolClassDecorator<"timeout"> {
  return classDecorator("timeout", { timeout: milliseconds });
}
