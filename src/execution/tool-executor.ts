import { randomUuid } from "../platform/index.js";
import {
  type ToolCallInput,
  type ToolCallOutput,
  type ToolClass,
  ToolInterrupt,
  type ToolListener,
  ToolNotFoundError,
  type ToolResult,
} from "../tool/index.js";
import { checkOptionNames, type OptionNames } from "../tool/internal.js";
import { runBehindMiddleware, type ToolMiddleware } from "./attempt/middleware.js";
import { runAttempts } from "./attempt/repetition.js";
import type { CallHost } from "./call-host.js";
import { type Container, currentContainer } from "./container/container.js";
import { approvalOf } from "./preparation/approval.js";
import { type Preparation, prepareCall, refuseCall } from "./preparation/call-preparation.js";
import { type CallOrigin, PreparedCall, type RunningCode, type ToolCallRequest } from "./preparation/prepared-call.js";
import type { AskedArguments } from "./preparation/settled-arguments.js";
import { mayNotCallNamed, ToolIndex } from "./preparation/tool-index.js";
import { Recorder } from "./record/recorder.js";
import { defaultMaxResultBytes, leastMaxResultBytes } from "./result/cap.js";
import { valueForCode } from "./result/attachments.js";
import { isFailure, toToolError } from "./result/failure.js";
import { checkListeners, createRunScope, type RunScope } from "./run-scope.js";

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

/** `execute` for a caller that doesn't read the call afterwards: the call's arguments needn't be kept as they were. */
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
  readonly #tools: ToolIndex;
  readonly #middleware: ToolMiddleware[] = [];
  readonly #host: CallHost;
  /** Calls of a model. `run` and nested calls get their data whole, because code reads it. */
  readonly #modelOrigin: CallOrigin;
  readonly #decidedOrigin: CallOrigin;

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
    this.#tools = new ToolIndex(tools, container);
    this.#modelOrigin = { maxResultBytes };
    this.#decidedOrigin = { maxResultBytes, decided: true };
    this.#host = {
      recorder: new Recorder(listeners),
      middleware: this.#middleware,
      attempts,
      callNested: (caller, toolClass, input) => this.#callNested(caller, toolClass, input),
      callNamed: (caller, name, input) => this.#callNamed(caller, name, input),
    };
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
    return this.#prepare(request, scope, origin, options?.asked);
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
    if (call.requiresConfirmation && call.answer === undefined) {
      const request = { tool: call.name, ...approvalOf(call) };
      const message =
        call.definition.answeredBy === undefined
          ? `Tool '${call.name}' waits for confirmation. An agent's run pauses for it; elsewhere ask a person, and after a yes run it with { decided: true }.`
          : `Tool '${call.name}' is answered by the client. An agent's run pauses for it; elsewhere prepare the call, and set its answer before you execute it.`;
      return Promise.reject(new ToolInterrupt(call.name, call.id, message, request));
    }
    if (this.#middleware.length === 0) return runAttempts(call, this.#host);
    return runBehindMiddleware(call, this.#host, () => runAttempts(call, this.#host));
  }

  /** Prepares and executes a call. Returns a result; throws only interrupts. */
  call(request: ToolCallRequest, scope: RunScope): Promise<ToolResult> {
    return this.#perform(this.#prepare(request, scope, this.#modelOrigin, undefined));
  }

  /**
   * Calls a tool for an application and returns its data, not shortened. Pass the class for typed input and output, or the name.
   *
   * ```ts
   * await executor.run(WeatherTool, { city: "Paris" });
   * ```
   *
   * Throws `ToolNotFoundError`, `ToolAuthorizationError` (`@access` or the profile doesn't allow it), `ToolInputValidationError`,
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
    const name = typeof tool === "string" ? tool : this.#tools.nameOf(tool, scope);
    if (name === undefined) throw notAttached(tool as ToolClass);
    // The arguments are checked, whatever the caller passed.
    const request = { id: randomUuid(), name, arguments: input as ToolCallRequest["arguments"] };
    return dataOf(await this.#perform(this.#prepare(request, scope, options?.decided === true ? decidedByCode : byCode, undefined)));
  }

  #prepare(
    { id, name, arguments: given }: ToolCallRequest,
    scope: RunScope,
    origin: CallOrigin,
    asked: AskedArguments | undefined,
  ): Preparation {
    const bound = this.#tools.find(name, scope);
    if (bound !== undefined) return prepareCall({ id, given, scope, origin, bound, asked }, this.#host);
    return refuseCall({ id, given, scope, origin, bound, asked }, this.#tools.notFound(name, scope), this.#host);
  }

  async #callNested(caller: RunningCode, toolClass: ToolClass, input: Record<string, unknown>): Promise<unknown> {
    const bound = this.#tools.calledBy(caller, toolClass);
    caller.nestedCalls += 1;
    const id = `${caller.call.id}/${caller.nestedCalls}`;
    const scope = { ...caller.call.scope, abortSignal: caller.abortSignal };
    const origin: CallOrigin = { maxResultBytes: Number.POSITIVE_INFINITY, byCode: true, parent: caller };
    return dataOf(await this.#perform(prepareCall({ id, given: input, scope, origin, bound, asked: undefined }, this.#host)));
  }

  async #callNamed(caller: RunningCode, name: string, input: Record<string, unknown>): Promise<unknown> {
    const toolClass = this.#tools.named(name);
    if (toolClass === undefined) throw mayNotCallNamed(caller, name);
    return this.#callNested(caller, toolClass, input);
  }

  #perform(prepared: Preparation): Promise<ToolResult> {
    if (prepared instanceof PreparedCall) return this.#execute(prepared);
    return prepared instanceof Promise ? prepared.then((settled) => this.#perform(settled)) : Promise.resolve(prepared);
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
  return valueForCode(result);
}
