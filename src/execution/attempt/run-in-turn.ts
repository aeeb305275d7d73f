import type { ToolDefinition, ToolFailure, ToolResult } from "../../tool/index.js";
import type { CallHost } from "../call-host.js";
import { CallTurn } from "../limits/call-turn.js";
import type { PreparedCall } from "../preparation/prepared-call.js";
import { failed, thrown } from "../result/failure.js";
import { isoTime } from "../time.js";
import { refusePrepared, runAttempt } from "./run-attempt.js";

/** Runs the tool of a call once, when `@exclusive`, `@concurrency` and `@rateLimit` let it. */
export const runInTurn = (call: PreparedCall, host: CallHost): Promise<ToolResult> =>
  // What was answered elsewhere runs nothing here.
  hasLimit(call.definition) && call.answer === undefined ? runLimited(call, host) : runAttempt(call, host, undefined);

const hasLimit = ({ exclusive, concurrency, rateLimit }: ToolDefinition): boolean =>
  exclusive !== undefined || concurrency !== undefined || rateLimit !== undefined;

async function runLimited(call: PreparedCall, host: CallHost): Promise<ToolResult> {
  const turn = new CallTurn(call, host);
  try {
    const refusal = await takeTurn(turn, call);
    return refusal === undefined ? await runAttempt(call, host, turn) : refusePrepared(call, refusal, host);
  } finally {
    turn.end();
  }
}

async function takeTurn(turn: CallTurn, call: PreparedCall): Promise<ToolFailure | undefined> {
  try {
    const failure = await turn.take();
    if (failure !== undefined) return failure;
  } catch (error) {
    return thrown(call.name, isoTime(), error, "unhandled_error");
  }
  // The call was prepared before the calls that it waited for had failed.
  const refusal = call.scope.ledger.refusal(call);
  return refusal === undefined ? undefined : failed(call.name, isoTime(), "retries_exhausted", refusal);
}
