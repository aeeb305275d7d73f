import type { ToolResult } from "../../tool/index.js";
import type { CallHost } from "../call-host.js";
import { beginsFirst, PreparedCall } from "../preparation/prepared-call.js";
import { asSettled } from "../preparation/settled-arguments.js";
import { copyJson } from "../result/copy-json.js";
import { runInTurn } from "./run-in-turn.js";

/** Runs a prepared call: as often as the executor repeats it, and with values of its own if the application executes it twice. */
export function runAttempts(call: PreparedCall, host: CallHost): Promise<ToolResult> {
  return beginsFirst(call) ? attemptAll(call, host) : again(call).then((fresh) => attemptAll(fresh ?? call, host));
}

function attemptAll(call: PreparedCall, host: CallHost): Promise<ToolResult> {
  const { effect } = call.definition;
  return host.attempts > 1 && (effect === "none" || effect === "idempotent") ? repeat(call, host) : runInTurn(call, host);
}

async function repeat(call: PreparedCall, host: CallHost): Promise<ToolResult> {
  call.keep();
  for (let current = call, left = host.attempts; ; left -= 1) {
    const result = await runInTurn(current, host);
    if (result.errorType !== "execution_error" && result.errorType !== "timeout_error") return result;
    if (left === 1 || call.scope.abortSignal?.aborted === true) return result;
    if (call.scope.ledger.refusal(call) !== undefined) return result;
    const next = await again(call);
    if (next === undefined) return result;
    current = next;
  }
}

/** The call with new values, because the tool may have changed the first ones. `undefined` if the arguments are read otherwise now. */
async function again(call: PreparedCall): Promise<PreparedCall | undefined> {
  const settled = call.keep();
  const reading = await call.bound.plan.readInput(copyJson(settled.input), { owned: true, repair: false });
  if (!reading.ok) return undefined;
  const { value } = reading;
  const ready = value.values === value.input ? value : asSettled(call.bound, value, settled);
  if (ready === undefined) return undefined;
  const fresh = new PreparedCall(call, ready, settled);
  fresh.answer = call.answer;
  return fresh;
}
