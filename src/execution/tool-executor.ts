import { randomUUID } from "node:crypto";
import {
  type ExclusiveKey,
  type ToolCallInput,
  type ToolCallOutput,
  type ToolClass,
  type ToolFailure,
  ToolInterrupt,
  type ToolListener,
  ToolNotFoundError,
  type ToolResult,
} from "../tool/index.js";
import { isInterrupt, checkOptionNames, isPromiseLike, type OptionNames } from "../tool/internal.js";
import { hideSecretsIn } from "../redaction/internal.js";
import { approvalOf } from "./approval.js";
import { askRule } from "./ask-rule.js";
import { CallPreparation, type Preparation } from "./call-preparation.js";
import { defaultMaxResultBytes, leastMaxResultBytes } from "./result/cap.js";
import { checkListeners } from "./check-run.js";
import { type Container, currentContainer } from "./container/container.js";
import { endTurn, takeTurn } from "./exclusive-turns.js";
import { cancelledBefore, capError, failed, isFailure, thrown, toToolError } from "./failure.js";
import { untilLeft } from "./left-middleware.js";
import { runThrough, type ToolMiddleware } from "./middleware.js";
import { beginsFirst, type CallOrigin, PreparedCall, settledOf, type ToolCallRequest } from "./prepared-call.js";
import { Recorder } from "./record/recorder.js";
import { copyJson } from "./result/copy-json.js";
import { capData, toJson } from "./result/returned-value.js";
import { createRunScope, type RunScope } from "./run-scope.js";
import { type AskedArguments, asSettled } from "./settled-arguments.js";
import { isoTime } from "./time.js";
import { type AttemptHost, ToolAttempt } from "./tool-attempt.js";

/** Options of `ToolExecutor`. */
export interface ExecutorOptions {
  /** The tools that may be called. Throws `ToolDefinitionError` if two have the same name. */
  readonly tools: readonly ToolClass[];
  /** Creates the tools' instances. Default: the container given to `useContainer`, else `new ToolClass()`. */
  readonly container?: Container;
  /** Receive the events of each call. */
  readonly listeners?: readonly ToolListener[];
  /** The most bytes (UTF-8) of a result's or error's text for the model, at least 500. Infinity means no limit. Default: 50,000. */
  readonly maxResultBytes?: number;
  /**
   * How often the executor runs the same input by itself after an execution error or a timeout. Default: 1 (never again).
   *
   * Only tools with `@effect("none")` or `@effect("idempotent")` are repeated, without a pause, and within the three attempts of
   * the retry ledger.
   */
  readonly attempts?: number;
}

const optionNames: OptionNames<ExecutorOptions> = { tools: true, container: true, listeners: true, maxResultBytes: true, attempts: true };

/** Options of `ToolExecutor.run`. */
export interface CallOptions extends Partial<RunScope> {
  /** True if a person approved this call with these arguments: the confirmation rule isn't checked. Default: false. */
  readonly decided?: boolean;
}

/** Options of `ToolExecutor.prepare` for a call that a person decided about. */
export interface PrepareOptions {
  /** True if a person decided about the call: the confirmation rule isn't checked. */
  readonly decided: boolean;
  /** The arguments that the person saw, from `PreparedCall.settled`. */
  readonly asked?: AskedArguments | undefined;
}

const prepareOptionNames: OptionNames<PrepareOptions> = { decided: true, asked: true };

/** `execute` for who doesn't read the call afterwards: its arguments needn't be kept as they were. */
export let executeUnread: (executor: ToolExecutor, call: PreparedCall) => Promise<ToolResult>;

/**
 * Calls tools for code. Agents, registries, MCP servers and adapters use it too, so each call is checked, limited and recorded in
 * the same way.
 *
 * ```ts
 * const executor = new ToolExecutor({ tools: [WeatherTool] });
 * await executor.run(WeatherTool, { city: "Paris" }); // the data; throws ToolNotFoundError, ToolInputValidationError, ...
 * const result = await executor.call({ id: "call_1", name: "weather", arguments: '{"city":"Paris"}' }, createRunScope());
 * modelText(result); // "Sunny in Paris."
 * ```
 *
 * See docs/02-tools.md.
 */
export class ToolExecutor {
  readonly #preparation: CallPreparation;
  readonly #recorder: Recorder;
  readonly #middleware: ToolMiddleware[] = [];
  readonly #attempts: number;
  /** Calls of a model. `run` and nested calls get their data whole, because code reads it. */
  readonly #modelOrigin: CallOrigin;
  readonly #decidedOrigin: CallOrigin;
  readonly #host: AttemptHost;

  static {
    executeUnread = (executor, call) => executor.#execute(call);
  }

  constructor(options: ExecutorOptions) {
    checkOptionNames(options, optionNames, "ToolExecutor");
    const { tools, container = currentContainer(), listeners = [], maxResultBytes = defaultMaxResultBytes, attempts = 1 } = options;
    if (!(maxResultBytes >= leastMaxResultBytes)) {
      throw new RangeError(`ToolExecutor: maxResultBytes must be at least ${leastMaxResultBytes}, got ${maxResultBytes}.`);
    }
    if (!Number.isInteger(attempts) || attempts < 1)
      throw new RangeError(`ToolExecutor: attempts must be a whole number from 1, got ${attempts}.`);
    checkListeners(listeners);
    this.#recorder = new Recorder(listeners);
    this.#preparation = new CallPreparation(tools, container, this.#recorder);
    this.#attempts = attempts;
    this.#modelOrigin = { maxResultBytes };
    this.#decidedOrigin = { maxResultBytes, decided: true };
    this.#host = { listeners, callNested: (parent, toolClass, input) => this.#callNested(parent, toolClass, input) };
  }

  /** Adds middleware around each call, inside the middleware that was added before. */
  use(middleware: ToolMiddleware): this {
    this.#middleware.push(middleware);
    return this;
  }

  /**
   * Finds the tool, checks permission, arguments and retries, and evaluates its confirmation rule. Returns the prepared call, or
   * the failed result.
   *
   * If a person decided about the call, pass `decided: true` and the arguments that they saw as `asked`; the tool then receives
   * exactly these. Changes to the request object after this have no effect.
   */
  prepare(request: ToolCallRequest, scope: RunScope, options?: PrepareOptions): Preparation {
    if (options !== undefined) checkOptionNames(options, prepareOptionNames, "prepare");
    const origin = options?.decided === true ? this.#decidedOrigin : this.#modelOrigin;
    return this.#preparation.prepare(request, scope, origin, this.#host, options?.asked);
  }

  /**
   * Runs a prepared call and returns its result. Throws only interrupts: `ToolInterrupt` if the call needs confirmation, and those
   * of the tool itself.
   */
  execute(call: PreparedCall): Promise<ToolResult> {
    // The caller may read the call's arguments after the tool has written into its own.
    call.keep();
    return this.#execute(call);
  }

  #execute(call: PreparedCall): Promise<ToolResult> {
    if (call.requiresConfirmation) {
      const request = { tool: call.name, ...approvalOf(call) };
      const message = `Tool '${call.name}' waits for confirmation. An agent's run pauses for it; elsewhere ask a person, and after a yes run it with { decided: true }.`;
      return Promise.reject(new ToolInterrupt(call.name, call.id, message, request));
    }
    return this.#middleware.length === 0 ? this.#runAll(call) : this.#runBehindMiddleware(call);
  }

  /** Prepares and executes a call. Returns a result; throws only interrupts. */
  call(request: ToolCallRequest, scope: RunScope): Promise<ToolResult> {
    return this.#perform(this.#preparation.prepare(request, scope, this.#modelOrigin, this.#host));
  }

  /**
   * Calls a tool for an application and returns its data, not shortened. Pass the class for typed input and output, or the name.
   *
   * ```ts
   * await executor.run(WeatherTool, { city: "Paris" });
   * ```
   *
   * Throws `ToolNotFoundError`, `ToolAuthorizationError` (`@requires` or the profile doesn't allow it), `ToolInputValidationError`,
   * `ToolOutputValidationError`, `ToolTimeoutError` or `ToolExecutionError`. Throws `ToolInterrupt` if the call needs confirmation
   * and isn't `decided`. See docs/errors.md.
   */
  run(name: string, input: unknown, options?: CallOptions): Promise<unknown>;
  /**
   * Calls a tool by its class, with typed input and output, and returns its data, not shortened:
   * `await executor.run(WeatherTool, { city: "Paris" })`.
   *
   * Throws like the call by name: `ToolInputValidationError`, `ToolExecutionError` and the other errors of docs/errors.md.
   */
  run<Type extends ToolClass>(tool: Type, input: ToolCallInput<Type>, options?: CallOptions): Promise<ToolCallOutput<Type>>;
  async run(tool: string | ToolClass, input: unknown, options?: CallOptions): Promise<unknown> {
    const scope = scopeOf(options);
    const name = typeof tool === "string" ? tool : this.#preparation.nameOf(tool, scope);
    if (name === undefined) throw notAttached(tool as ToolClass);
    // Whatever the caller gave is checked as arguments are.
    const request = { id: randomUUID(), name, arguments: input as ToolCallRequest["arguments"] };
    const prepared = this.#preparation.prepare(request, scope, options?.decided === true ? decidedByCode : byCode, this.#host);
    return dataOf(await this.#perform(prepared));
  }

  async #callNested(parent: ToolAttempt, toolClass: ToolClass, input: Record<string, unknown>): Promise<unknown> {
    return dataOf(await this.#perform(this.#preparation.prepareNested(parent, toolClass, input, this.#host)));
  }

  #perform(prepared: Preparation): Promise<ToolResult> {
    if (prepared instanceof PreparedCall) return this.#execute(prepared);
    return prepared instanceof Promise ? prepared.then((settled) => this.#perform(settled)) : Promise.resolve(prepared);
  }

  async #runBehindMiddleware(call: PreparedCall): Promise<ToolResult> {
    const { maxResultBytes, byCode: isForCode } = call.origin;
    call.keep();
    try {
      const result = await untilLeft(
        call,
        (innermost) => runThrough(this.#middleware, call, innermost),
        () => this.#runAll(call),
      );
      if (isFailure(result)) return capError(result, maxResultBytes);
      const { data, size } = toJson(result.data, maxResultBytes, call.name);
      const whole = capData(data, size, maxResultBytes);
      const capped = isForCode === true ? whole : hideSecretsIn(whole);
      return capped === result.data ? result : { ...result, data: capped };
    } catch (error) {
      if (isInterrupt(error)) throw error;
      return capError(thrown(call.name, isoTime(), error, "unhandled_error"), maxResultBytes);
    }
  }

  /** An application may execute a prepared call twice. */
  #runAll(call: PreparedCall): Promise<ToolResult> {
    return beginsFirst(call) ? this.#attemptAll(call) : this.#again(call).then((again) => this.#attemptAll(again ?? call));
  }

  #attemptAll(call: PreparedCall): Promise<ToolResult> {
    const { effect } = call.definition;
    return this.#attempts > 1 && (effect === "none" || effect === "idempotent") ? this.#runRepeatedly(call) : this.#runInTurn(call);
  }

  async #runRepeatedly(call: PreparedCall): Promise<ToolResult> {
    call.keep();
    for (let current = call, left = this.#attempts; ; left -= 1) {
      const result = await this.#runInTurn(current);
      if (result.errorType !== "execution_error" && result.errorType !== "timeout_error") return result;
      if (left === 1 || call.scope.abortSignal?.aborted === true) return result;
      if (call.scope.ledger.refusal(call) !== undefined) return result;
      const again = await this.#again(call);
      if (again === undefined) return result;
      current = again;
    }
  }

  /** The call with values of its own, because the tool may have changed those it was given. `undefined` if they are read otherwise now. */
  async #again(call: PreparedCall): Promise<PreparedCall | undefined> {
    const settled = call.keep();
    const reading = await call.bound.plan.readInput(copyJson(settled.input), { owned: true, repair: false });
    if (!reading.ok) return undefined;
    const { value } = reading;
    const ready = value.values === value.input ? value : asSettled(call.bound, value, settled);
    return ready && new PreparedCall(call.id, call.scope, call.bound, ready, call.origin, settled);
  }

  #runInTurn(call: PreparedCall): Promise<ToolResult> {
    return call.definition.exclusive === undefined ? this.#runOnce(call, undefined) : this.#runExclusively(call);
  }

  async #runExclusively(call: PreparedCall): Promise<ToolResult> {
    let key: string;
    try {
      key = this.#exclusiveKeyOf(call);
      if (!(await takeTurn(key, call.scope.abortSignal))) {
        return this.#refuse(call, cancelledBefore(call.name, call.scope.abortSignal));
      }
    } catch (error) {
      return this.#refuse(call, thrown(call.name, isoTime(), error, "unhandled_error"));
    }
    try {
      // What waited for its turn was prepared before the call that it waited for had failed.
      const refusal = call.scope.ledger.refusal(call);
      if (refusal !== undefined) return this.#refuse(call, failed(call.name, isoTime(), "retries_exhausted", refusal));
      return await this.#runOnce(call, key);
    } finally {
      endTurn(key);
    }
  }

  /** The key of the calls that run one after another. A tool that calls another of its own key would wait for itself. */
  #exclusiveKeyOf(call: PreparedCall): string {
    const { exclusive = true } = call.definition;
    const key = exclusive === true ? call.name : typeof exclusive === "string" ? exclusive : this.#askForKey(call, exclusive);
    for (let parent = call.origin.parent; parent !== undefined; parent = parent.call.origin.parent) {
      if (parent.exclusiveKey !== key) continue;
      throw new Error(
        `Tool '${call.name}' is exclusive by the key '${key}', which '${parent.call.name}' holds while it calls it: it would wait for itself. Give them different keys.`,
      );
    }
    return key;
  }

  #askForKey(call: PreparedCall, rule: Extract<ExclusiveKey, (...asked: never) => unknown>): string {
    const { context } = new ToolAttempt(call, this.#host, call.scope.ledger.nextAttempt(call.name), undefined);
    return String(askRule(call.definition, settledOf(call).input, (input) => rule(input, context)));
  }

  #refuse(call: PreparedCall, failure: ToolFailure): ToolFailure {
    const request = { id: call.id, name: call.name, arguments: settledOf(call).input };
    return this.#recorder.refused(
      request,
      call.scope,
      call.origin,
      call.definition.category,
      capError(failure, call.origin.maxResultBytes),
    );
  }

  async #runOnce(call: PreparedCall, exclusiveKey: string | undefined): Promise<ToolResult> {
    const { ledger, abortSignal } = call.scope;
    if (abortSignal?.aborted === true) return this.#refuse(call, cancelledBefore(call.name, abortSignal));
    const attempt = new ToolAttempt(call, this.#host, ledger.nextAttempt(call.name), exclusiveKey);
    const remembered = ledger.remember(call);
    const started = this.#recorder.started(attempt);
    let result: ToolResult;
    try {
      const returned = this.#recorder.begin(attempt, started);
      result = attempt.succeeded(isPromiseLike(returned) ? await attempt.wait(returned) : returned);
    } catch (error) {
      const failure = attempt.failed(error);
      if (isInterrupt(error) && attempt.stopped === undefined) {
        this.#recorder.ended(attempt, { ...failure, errorType: "interrupted" }, started);
        throw error;
      }
      result = failure;
    } finally {
      attempt.end();
    }
    if (!isFailure(result)) ledger.recordSuccess(call.name);
    else if (attempt.bodyStarted) {
      if (attempt.stopped === undefined) ledger.recordFailure(call.definition, remembered);
      else ledger.recordUnknown(call.definition, remembered, attempt.stopped === "timed out");
    }
    this.#recorder.ended(attempt, result, started);
    return result;
  }
}

const byCode: CallOrigin = { maxResultBytes: Number.POSITIVE_INFINITY, byCode: true };
const decidedByCode: CallOrigin = { maxResultBytes: Number.POSITIVE_INFINITY, byCode: true, decided: true };

function scopeOf(options: CallOptions | undefined): RunScope {
  if (options === undefined || !("decided" in options)) return createRunScope(options);
  const { decided, ...scope } = options;
  return createRunScope(scope);
}

function notAttached({ name, definition }: ToolClass): ToolNotFoundError {
  const hint = `${name} is none of this executor's tools. Add it: new ToolExecutor({ tools: [${name}] }).`;
  return new ToolNotFoundError(definition.name, `Tool not found in registry: ${definition.name}. ${hint}`);
}

function dataOf(result: ToolResult): unknown {
  if (isFailure(result)) throw toToolError(result);
  return result.data;
}
