import { hideSecretsIn } from "../../redaction/internal.js";
import type { ToolResult } from "../../tool/index.js";
import { isInterrupt, untilAborted } from "../../tool/internal.js";
import { adviceOnStopped } from "../attempt-ledger.js";
import type { CallHost } from "../call-host.js";
import type { PreparedCall } from "../preparation/prepared-call.js";
import { checkAttachments, isChecked } from "../result/attachments.js";
import { capError, failed, invalidFiles, isFailure, thrown } from "../result/failure.js";
import { capData, toJson } from "../result/returned-value.js";
import { isoTime } from "../time.js";
import { cancelledMidway } from "./attempt-result.js";

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

/** Runs a call behind the executor's middleware, and checks the result that they return. */
export async function runBehindMiddleware(call: PreparedCall, host: CallHost, innermost: () => Promise<ToolResult>): Promise<ToolResult> {
  const { maxResultBytes, byCode: isForCode } = call.origin;
  call.keep();
  try {
    const result = await untilLeft(call, host, innermost);
    if (isFailure(result)) return capError(result, maxResultBytes);
    const { data, size } = toJson(result.data, maxResultBytes, call.name);
    const whole = capData(data, size, maxResultBytes);
    const capped = isForCode === true ? whole : hideSecretsIn(whole);
    const taken = result.attachments === undefined || isChecked(result.attachments) ? undefined : checkAttachments(result.attachments);
    if (taken !== undefined && taken.faults.length > 0) return invalidFiles(call.name, isoTime(), taken.faults);
    const files = taken === undefined ? {} : { attachments: taken.attachments };
    return capped === result.data && taken === undefined ? result : { ...result, data: capped, ...files };
  } catch (error) {
    if (isInterrupt(error)) throw error;
    return capError(thrown(call.name, isoTime(), error, "unhandled_error"), maxResultBytes);
  }
}

/**
 * Runs a call behind middleware until its run is aborted. A middleware that hangs must not hold the run: it gets the tool's
 * result after the abort and one turn of the event loop to pass it on. Its own late result is ignored.
 */
async function untilLeft(call: PreparedCall, { middleware }: CallHost, innermost: () => Promise<ToolResult>): Promise<ToolResult> {
  const { abortSignal } = call.scope;
  if (abortSignal === undefined) return runThrough(middleware, call, innermost);
  let running: Promise<unknown> | undefined;
  const passed = runThrough(middleware, call, () => {
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
    return Promise.race([passed, new Promise<ToolResult>((resolve) => setImmediate(resolve, left))]);
  }
}

/** Runs `innermost` behind all middleware. */
function runThrough(middleware: readonly ToolMiddleware[], call: PreparedCall, innermost: () => Promise<ToolResult>): Promise<ToolResult> {
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
