import type { ToolResult } from "../../tool/index.js";
import { watchOf } from "../../tool/internal.js";
import type { CallHost } from "../call-host.js";
import { askRule } from "../preparation/ask-rule.js";
import type { PreparedCall } from "../preparation/prepared-call.js";
import { cancelledBefore, failed, thrown } from "../result/failure.js";
import { isoTime } from "../time.js";
import { refusePrepared, runAttempt } from "./run-attempt.js";

/** Runs the tool of a call once. Calls that share a key of `@exclusive` run one after another. */
export const runInTurn = (call: PreparedCall, host: CallHost): Promise<ToolResult> =>
  call.definition.exclusive === undefined ? runAttempt(call, host, undefined) : runExclusively(call, host);

async function runExclusively(call: PreparedCall, host: CallHost): Promise<ToolResult> {
  const { ledger, abortSignal } = call.scope;
  let key: string;
  try {
    key = exclusiveKeyOf(call, host);
    if (!(await takeTurn(key, abortSignal))) return refusePrepared(call, cancelledBefore(call.name, abortSignal), host);
  } catch (error) {
    return refusePrepared(call, thrown(call.name, isoTime(), error, "unhandled_error"), host);
  }
  try {
    // The call was prepared before the call that it waited for had failed.
    const refusal = ledger.refusal(call);
    if (refusal !== undefined) return refusePrepared(call, failed(call.name, isoTime(), "retries_exhausted", refusal), host);
    return await runAttempt(call, host, key);
  } finally {
    endTurn(key);
  }
}

/** The key of a call. A tool that calls another of its own key would wait for itself, so that is an error. */
function exclusiveKeyOf(call: PreparedCall, host: CallHost): string {
  const { exclusive = true } = call.definition;
  const key = exclusive === true ? call.name : typeof exclusive === "string" ? exclusive : String(askRule(call, host, exclusive));
  for (let parent = call.origin.parent; parent !== undefined; parent = parent.call.origin.parent) {
    if (parent.exclusiveKey !== key) continue;
    throw new Error(
      `Tool '${call.name}' is exclusive by the key '${key}', which '${parent.call.name}' holds while it calls it: it would wait for itself. Give them different keys.`,
    );
  }
  return key;
}

/** The calls that wait for a key, first come first served. A key is in the map while a call holds it. */
const queues = new Map<string, (() => void)[]>();

/** Waits for a turn among the calls of this process that share the key. `false` if the signal is aborted first: the key isn't held. */
function takeTurn(key: string, signal: AbortSignal | undefined): boolean | Promise<boolean> {
  const queue = queues.get(key);
  if (queue === undefined) {
    queues.set(key, []);
    return true;
  }
  if (signal?.aborted === true) return false;
  return new Promise((resolve) => {
    const watch = signal === undefined ? undefined : watchOf(signal);
    const begin = () => {
      watch?.remove(waiting);
      resolve(true);
    };
    const waiting = {
      cancel: () => {
        queue.splice(queue.indexOf(begin), 1);
        watch?.remove(waiting);
        resolve(false);
      },
    };
    queue.push(begin);
    watch?.add(waiting);
  });
}

/** Gives the key to the next call that waits for it. */
function endTurn(key: string): void {
  const next = queues.get(key)?.shift();
  if (next === undefined) queues.delete(key);
  else next();
}
