import { type ConcurrencyLimit, type RateLimit, type ToolContext, ToolDefinitionError, type ToolFailure } from "../../tool/index.js";
import { isPromiseLike } from "../../tool/internal.js";
import type { CallHost } from "../call-host.js";
import { askRule } from "../preparation/ask-rule.js";
import type { HeldKeys, PreparedCall } from "../preparation/prepared-call.js";
import { cancelledBefore, failed } from "../result/failure.js";
import { isoTime } from "../time.js";
import { Places } from "./places.js";
import { RateWindows } from "./rate-windows.js";
import { pause, sharedLimits } from "./shared-limits.js";

// Shared by all executors of the process: agents that have the same tool share its limits.
const exclusives = new Places();
const places = new Places();
const rates = new RateWindows();

/** The turn of a call among the calls of this process that share its limits. It holds what it has taken until `end`. */
export class CallTurn implements HeldKeys {
  /** The key of `@exclusive`, while the call holds it. */
  exclusive: string | undefined;
  /** The key of `@concurrency`, while the call holds one of its places. */
  concurrency: string | undefined;
  /** Gives back the place that it has among the calls of all processes. */
  #leaveShared: (() => void) | undefined;
  readonly #call: PreparedCall;
  readonly #host: CallHost;

  constructor(call: PreparedCall, host: CallHost) {
    this.#call = call;
    this.#host = host;
  }

  /** Waits for the turn. Returns the failure of a call that doesn't get it. Throws if a key is wrong. */
  async take(): Promise<ToolFailure | undefined> {
    const { definition, scope, name } = this.#call;
    const { concurrency, rateLimit } = definition;
    const { abortSignal } = scope;
    // All keys are read first: a wrong one must not wait.
    const keys = { exclusive: this.#exclusiveKey(), concurrency: this.#placeKey(), rate: this.#rateKey() };
    if (keys.exclusive !== undefined) {
      if (!(await exclusives.take(keys.exclusive, 1, abortSignal))) return cancelledBefore(name, abortSignal);
      this.exclusive = keys.exclusive;
    }
    // The rate comes last: a call that has begun doesn't wait any more.
    return (
      (concurrency && keys.concurrency && (await this.#takePlace(concurrency, keys.concurrency))) ||
      (rateLimit && keys.rate && (await this.#begin(rateLimit, keys.rate))) ||
      undefined
    );
  }

  /** Gives back what the call holds. */
  end(): void {
    this.#leaveShared?.();
    if (this.concurrency !== undefined) places.leave(this.concurrency);
    if (this.exclusive !== undefined) exclusives.leave(this.exclusive);
  }

  async #takePlace({ calls, whenExceeded }: ConcurrencyLimit, limit: string): Promise<ToolFailure | undefined> {
    const { name, abortSignal } = this.#call;
    const exceeded = (): ToolFailure => this.#exceeded(`${callsIn(calls)} at once`, "when one of them has ended");
    if (whenExceeded === "reject" && !places.isFree(limit, calls)) return exceeded();
    if (!(await places.take(limit, calls, abortSignal))) return cancelledBefore(name, abortSignal);
    this.concurrency = limit;
    const shared = sharedLimits();
    while (shared !== undefined) {
      this.#leaveShared = await shared.takePlace(limit, calls);
      if (this.#leaveShared !== undefined) break;
      if (whenExceeded === "reject") return exceeded();
      if (!(await pause(nextLook, abortSignal))) return cancelledBefore(name, abortSignal);
    }
    return undefined;
  }

  async #begin(rate: RateLimit, limit: string): Promise<ToolFailure | undefined> {
    const { name, abortSignal } = this.#call;
    const isToWait = rate.whenExceeded !== "reject";
    const exceeded = (wait: number): ToolFailure =>
      this.#exceeded(`${callsIn(rate.calls)} in ${timeIn(rate.period)}`, `in ${timeIn(wait)}`);
    const wait = isToWait ? 0 : rates.waitOf(limit);
    if (wait > 0) return exceeded(wait);
    if (!(await rates.begin(limit, rate, abortSignal))) return cancelledBefore(name, abortSignal);
    const shared = sharedLimits();
    while (shared !== undefined) {
      const rest = await shared.begin(limit, rate);
      if (rest === 0) break;
      if (!isToWait) return exceeded(rest);
      if (!(await pause(Math.min(rest, longestLook), abortSignal))) return cancelledBefore(name, abortSignal);
    }
    return undefined;
  }

  #exclusiveKey(): string | undefined {
    const { definition, name } = this.#call;
    const { exclusive } = definition;
    if (exclusive === undefined) return undefined;
    const key = exclusive === true ? name : typeof exclusive === "string" ? exclusive : this.#ask("exclusive", exclusive);
    const caller = this.#callerThat((held) => held.exclusive === key);
    if (caller === undefined) return key;
    throw new Error(
      `Tool '${name}' is exclusive by the key '${key}', which '${caller}' holds while it calls it: it would wait for itself. Give them different keys.`,
    );
  }

  #placeKey(): string | undefined {
    const { definition, name } = this.#call;
    if (definition.concurrency === undefined) return undefined;
    const { calls, key: rule, whenExceeded } = definition.concurrency;
    const key = limitKey([name, calls], rule && this.#ask("concurrency", rule));
    if (whenExceeded === "reject" || this.#callerThat((held) => held.concurrency === key) === undefined) return key;
    throw new Error(
      `Tool '${name}' runs ${callsIn(calls)} at once, and is called by one of its own calls: it might wait for itself. Call a tool without this limit there, or give the two calls different keys.`,
    );
  }

  #rateKey(): string | undefined {
    const { definition, name } = this.#call;
    if (definition.rateLimit === undefined) return undefined;
    const { calls, period, key } = definition.rateLimit;
    return limitKey([name, calls, period], key && this.#ask("rateLimit", key));
  }

  #ask(decorator: string, rule: (input: Record<string, unknown>, context: ToolContext) => unknown): string {
    const key = askRule(this.#call, this.#host, rule);
    if (typeof key === "string" && key !== "") return key;
    if (isPromiseLike(key)) key.then(undefined, () => undefined);
    const got = key === "" ? "an empty string" : isPromiseLike(key) ? "a promise" : key === null ? "null" : typeof key;
    throw new ToolDefinitionError(
      `Tool '${this.#call.name}': the key of @${decorator} must be a string that isn't empty, got ${got}. Return one from its function, such as String(userId).`,
    );
  }

  /** The name of the tool that makes this call and holds something, itself or for the tool that has called it. */
  #callerThat(holds: (held: HeldKeys) => boolean): string | undefined {
    for (let { parent } = this.#call.origin; parent !== undefined; parent = parent.call.origin.parent) {
      if (parent.held !== undefined && holds(parent.held)) return parent.call.name;
    }
    return undefined;
  }

  /** `again`: when the call may be repeated. */
  #exceeded(limit: string, again: string): ToolFailure {
    const { name } = this.#call;
    const message = `Tool '${name}' is over its limit of ${limit}, and didn't run. It can be called again ${again}. Until then, go on without it.`;
    return failed(name, isoTime(), "limit_exceeded", message);
  }
}

/** Milliseconds before a call asks again for a place that all processes share, and the most of them before it asks for a rate. */
const nextLook = 100;
const longestLook = 1_000;

/** Tools with one name and other numbers don't share a limit. */
const limitKey = (limit: readonly (string | number)[], key: string | undefined): string => JSON.stringify([...limit, key ?? ""]);

const callsIn = (calls: number): string => (calls === 1 ? "1 call" : `${calls} calls`);

const timeIn = (milliseconds: number): string =>
  milliseconds < 1_000 ? `${Math.ceil(milliseconds)} ms` : `${Math.ceil(milliseconds / 1_000)} s`;
