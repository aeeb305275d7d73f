import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/**
 * Sets whether a failed call may be tried again with the same arguments: `@retryable(false)`.
 *
 * Default: derived from `@effect`; without it, false for a declared category other than read, else true. A write or delete that
 * timed out or was cancelled may have taken effect: it is repeated only with `@effect("none")` or `@effect("idempotent")`. See
 * docs/02-tools.md.
 */
export function retryable(retryable: boolean): ToolClassDecorator<"retryable"> {
  return classDecorator("retryable", { retryable });
}
