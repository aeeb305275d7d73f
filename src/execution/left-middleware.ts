import { setImmediate } from "node:timers/promises";
import type { ToolResult } from "../tool/index.js";
import { untilAborted } from "../tool/internal.js";
import { failed } from "./failure.js";
import type { PreparedCall } from "./prepared-call.js";
import { adviceOnStopped } from "./repetition.js";
import { isoTime } from "./time.js";
import { cancelledMidway } from "./tool-attempt.js";

/**
 * Runs a call behind middleware until its run is aborted. A middleware that hangs must not hold the run: it gets the tool's
 * result after the abort and one turn of the event loop to pass it on. Its own late result is ignored.
 */
export async function untilLeft(
  call: PreparedCall,
  runMiddleware: (innermost: () => Promise<ToolResult>) => Promise<ToolResult>,
  innermost: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const { abortSignal } = call.scope;
  if (abortSignal === undefined) return runMiddleware(innermost);
  let running: Promise<unknown> | undefined;
  const passed = runMiddleware(() => {
    const result = innermost();
    running = result.catch(() => undefined);
    return result;
  });
  try {
    return await untilAborted(passed, abortSignal);
  } catch (error) {
    if (!abortSignal.aborted || error !== abortSignal.reason) throw error;
    await running;
    const left = failed(call.name, isoTime(), "cancelled", `${cancelledMidway} ${adviceOnStopped(call.definition)}`, { cause: error });
    return Promise.race([passed, setImmediate(left)]);
  }
}
