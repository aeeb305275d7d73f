import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/**
 * Whether a failed call may be tried again with the same arguments. Without it: false where the category was
 * declared as write, delete or side_effect, else true.
 */
export function retryable(retryable: boolean): ToolClassDecorator<"retryable"> {
  return classDecorator("retryable", { retryable });
}
