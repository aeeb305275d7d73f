import type { ToolFailure, ToolResult } from "../../tool/index.js";
import { isInterrupt, isPromiseLike } from "../../tool/internal.js";
import type { CallHost } from "../call-host.js";
import { refuseCall } from "../preparation/call-preparation.js";
import { type HeldKeys, type PreparedCall, settledOf } from "../preparation/prepared-call.js";
import { surround } from "../record/surround.js";
import { cancelledBefore, isFailure } from "../result/failure.js";
import { failureOf, resultOf } from "./attempt-result.js";
import { ToolAttempt } from "./tool-attempt.js";

/** Runs the tool of a call once, records the attempt, and counts it in the ledger. `held`: the keys that the call holds. */
export async function runAttempt(call: PreparedCall, host: CallHost, held: HeldKeys | undefined): Promise<ToolResult> {
  const { recorder } = host;
  const { ledger, abortSignal } = call.scope;
  if (abortSignal?.aborted === true) return refusePrepared(call, cancelledBefore(call.name, abortSignal), host);
  const attempt = new ToolAttempt(call, host, ledger.nextAttempt(call.name), held);
  const remembered = ledger.remember(call);
  const started = recorder.started(attempt);
  let result: ToolResult;
  try {
    const returned = started === undefined ? attempt.start() : surround("around", recorder.aroundsOf(started), () => attempt.start());
    result = resultOf(attempt, isPromiseLike(returned) ? await attempt.wait(returned) : returned);
  } catch (error) {
    const failure = failureOf(attempt, error);
    if (isInterrupt(error) && attempt.stopped === undefined) {
      recorder.ended(attempt, { ...failure, errorType: "interrupted" }, started);
      throw error;
    }
    result = failure;
  } finally {
    attempt.end();
  }
  if (!isFailure(result)) ledger.recordSuccess(call.name);
  else if (attempt.bodyStarted) {
    if (attempt.stopped === undefined) ledger.recordFailure(call.definition, remembered);
    else ledger.recordUnknown(call.definition, remembered, attempt.stopped !== "cancelled");
  }
  recorder.ended(attempt, result, started);
  return result;
}

/** Records a prepared call that fails before its tool runs. Returns the failure. */
export function refusePrepared(call: PreparedCall, failure: ToolFailure, host: CallHost): ToolFailure {
  const { id, scope, origin, bound } = call;
  return refuseCall({ id, given: settledOf(call).input, scope, origin, bound, asked: undefined }, failure, host);
}
