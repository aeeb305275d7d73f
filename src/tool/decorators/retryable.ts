import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/**
 * Whether a failed call may be tried again with the same arguments. Without it, `@effect` says so; without that, it is
 * false where the category was declared as write, delete or side_effect, else true. A write or delete that timed out or
 * was cancelled may have taken effect: only `@effect("none")` or `@effect("idempotent")` lets it be repeated.
 */
export function retryable(retryable: boolean): ToolClassDecorator<"retryable"> {
  return classDecorator("retryable", { retryable });
}
