import { succeed } from "../../schema/index.js";
import type { ToolFailure } from "../../tool/index.js";
import { type InputReading, isPromiseLike } from "../../tool/internal.js";
import { LimitedWait } from "../attempt/limited-wait.js";
import type { CallHost } from "../call-host.js";
import { inspectBeforeAsking } from "../container/container.js";
import { definitionHash } from "../definition-hash.js";
import { copyJson } from "../result/copy-json.js";
import { cancelledBefore, capError, failed, invalidInput, thrown } from "../result/failure.js";
import { isoTime } from "../time.js";
import { askRule } from "./ask-rule.js";
import { type BoundCall, type IncomingCall, PreparedCall } from "./prepared-call.js";
import { readArguments } from "./read-arguments.js";
import { type AskedArguments, asSettled, type SettledArguments } from "./settled-arguments.js";

/**
 * The result of `ToolExecutor.prepare`: the prepared call, or a failed result. A promise only if a rule of the tool is
 * asynchronous.
 */
export type Preparation = PreparedCall | ToolFailure | Promise<PreparedCall | ToolFailure>;

/** Checks a call whose tool was found: cancelled, arguments, retries, confirmation. The tool isn't made yet. */
export function prepareCall(call: BoundCall, host: CallHost): Preparation {
  const { name } = call.bound.definition;
  const { abortSignal } = call.scope;
  if (abortSignal?.aborted === true) return refuseCall(call, cancelledBefore(name, abortSignal), host);
  try {
    const { asked } = call;
    if (asked !== undefined && asked.definition === definitionHash(call.bound.definition)) {
      return inTime(call, admitAgain(call, asked, host), host);
    }
    const reading = readArguments(call.bound, call.given);
    const admission = reading instanceof Promise ? reading.then((settled) => admit(call, settled, host)) : admit(call, reading, host);
    return admission instanceof Promise ? inTime(call, admission, host) : admission;
  } catch (error) {
    return refuseCall(call, thrown(name, isoTime(), error, "unhandled_error"), host);
  }
}

/** Records a call that fails before its tool runs. Returns the failure. */
export const refuseCall = (call: IncomingCall, failure: ToolFailure, host: CallHost): ToolFailure =>
  host.recorder.refused(call, capError(failure, call.origin.maxResultBytes));

/** Asynchronous rules are code of the tool: they have its timeout, and end with the run. */
async function inTime(
  call: BoundCall,
  admission: Promise<PreparedCall | ToolFailure>,
  host: CallHost,
): Promise<PreparedCall | ToolFailure> {
  const { name, timeout } = call.bound.definition;
  const { abortSignal } = call.scope;
  const limited = new LimitedWait({ name, timeout, abortSignal });
  try {
    return await limited.wait(admission);
  } catch (error) {
    return refuseCall(call, failureOf(limited, error), host);
  } finally {
    limited.end();
  }

  function failureOf({ stopped }: LimitedWait, error: unknown): ToolFailure {
    if (stopped === "cancelled") return cancelledBefore(name, abortSignal);
    if (stopped === undefined) return thrown(name, isoTime(), error, "unhandled_error");
    const message = `The checks of the tool's arguments did not end within its timeout of ${timeout} ms, and it was not run.`;
    return failed(name, isoTime(), "timeout_error", message, { cause: error });
  }
}

/** Reads arguments that a person approved once more, because rules may have changed. The tool gets them as they were shown. */
async function admitAgain(call: BoundCall, asked: AskedArguments, host: CallHost): Promise<PreparedCall | ToolFailure> {
  const { bound } = call;
  const again = await bound.plan.readInput(copyJson(asked.input), { owned: true, repair: false });
  let ready = again.ok ? asSettled(bound, again.value, asked) : undefined;
  if (ready === undefined) {
    // The arguments that were shown may have the form that a transform makes, which it doesn't accept.
    const reading = await readArguments(bound, call.given);
    if (!reading.ok) return admit(call, reading, host);
    ready = asSettled(bound, reading.value, asked);
  }
  if (ready === undefined) {
    return refuseCall(call, failed(bound.definition.name, isoTime(), "confirmation_denied", otherThanShown), host);
  }
  return admit(call, succeed(ready), host, { input: asked.input, used: asked.used });
}

const otherThanShown =
  "Not run: the arguments are read otherwise than when a person approved them, so that what would run isn't what was shown. Call the tool again; a person will be asked again.";

/** The last checks, for arguments that were read. */
function admit(call: BoundCall, reading: InputReading, host: CallHost, settled?: SettledArguments): Preparation {
  const { definition } = call.bound;
  if (!reading.ok) return refuseCall(call, invalidInput(definition.name, isoTime(), reading.error), host);
  const prepared = new PreparedCall(call, reading.value, settled);
  const refusal = call.scope.ledger.refusal(prepared);
  if (refusal !== undefined) return refuseCall(call, failed(definition.name, isoTime(), "retries_exhausted", refusal), host);
  const rule = call.origin.decided === true ? false : definition.requiresConfirmation;
  if (typeof rule === "boolean") return withAnswer(prepared, rule);
  const answer = askRule(prepared, host, rule);
  return isPromiseLike(answer) ? Promise.resolve(answer).then((required) => withAnswer(prepared, required)) : withAnswer(prepared, answer);
}

/** Only a clear no lets the call run: a rule that forgets to answer must not open the gate. */
function withAnswer(call: PreparedCall, requiresConfirmation: unknown): PreparedCall {
  call.requiresConfirmation = requiresConfirmation !== false;
  if (call.requiresConfirmation) inspectBeforeAsking(call.bound);
  return call;
}
