import type { ToolResult } from "../tool/index.js";
import type { PreparedCall } from "./prepared-call.js";

/**
 * Wraps the execution of each prepared call: it can run code before and after, answer without running the tool, or change the
 * result.
 *
 * ```ts
 * executor.use(async (call, next) => cache.get(call.name, call.input) ?? (await next()));
 * ```
 *
 * The first middleware is the outermost. An error that it throws fails the call; interrupts are rethrown. See
 * docs/15-middleware.md.
 */
export type ToolMiddleware = (call: PreparedCall, next: () => Promise<ToolResult>) => Promise<ToolResult> | ToolResult;

/** Runs `innermost` behind all middleware. */
export function runThrough(
  middleware: readonly ToolMiddleware[],
  call: PreparedCall,
  innermost: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const enter = async (index: number): Promise<ToolResult> => {
    const current = middleware[index];
    if (current === undefined) return innermost();
    let entered = false;
    const result = await current(call, async () => {
      if (entered) throw new Error(`A middleware called next() twice for tool '${call.name}': the tool would run again.`);
      entered = true;
      return enter(index + 1);
    });
    if (typeof result !== "object" || result === null || typeof result.tool !== "string") {
      throw new TypeError(`A middleware gave no result for tool '${call.name}': return what next() gives, or a ToolResult.`);
    }
    return result;
  };
  return enter(0);
}
