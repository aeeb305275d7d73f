import { ToolAuthorizationError, type ToolClass, type ToolDefinition, ToolExecutionError, type ToolFailure } from "../tool/index.js";
import { type InputReading, isPromiseLike, originalOf, registrationOf } from "../tool/internal.js";
import { succeed } from "../schema/index.js";
import { askRule } from "./ask-rule.js";
import type { Container } from "./container/container.js";
import { copyJson } from "./result/copy-json.js";
import { definitionHash } from "./definition-hash.js";
import { cancelledBefore, capError, failed, invalidInput, thrown } from "./failure.js";
import { inspectBeforeAsking } from "./container/first-instance.js";
import { LimitedWait } from "./limited-wait.js";
import { denialOf, isPermitted } from "./permission.js";
import { type BoundTool, type CallOrigin, PreparedCall, settledOf, type ToolCallRequest } from "./prepared-call.js";
import { readArguments } from "./read-arguments.js";
import type { Recorder } from "./record/recorder.js";
import type { RunScope } from "./run-scope.js";
import { type AskedArguments, asSettled, type SettledArguments } from "./settled-arguments.js";
import { isoTime } from "./time.js";
import { type AttemptHost, ToolAttempt } from "./tool-attempt.js";
import { bindTool, bindTools, type ToolIndex } from "./tool-index.js";

/**
 * The result of `ToolExecutor.prepare`: the prepared call, or a failed result. A promise only if a rule of the tool is
 * asynchronous.
 */
export type Preparation = PreparedCall | ToolFailure | Promise<PreparedCall | ToolFailure>;

/** No tool's name is longer than 128 characters; what a model makes up may be. */
const longestNameShown = 200;

/** Tools calling tools: deeper than this is taken for a circle. */
const deepestNesting = 10;

/** All that happens to a call before its tool is made: steps find, authorise, cancelled, parse, validate, retries, confirm. */
export class CallPreparation {
  readonly #tools: ToolIndex;
  readonly #container: Container | undefined;
  readonly #recorder: Recorder;

  constructor(tools: readonly ToolClass[], container: Container | undefined, recorder: Recorder) {
    this.#tools = bindTools(tools, container);
    this.#container = container;
    this.#recorder = recorder;
  }

  /** `asked`: the arguments that a person approved, which are used as they were shown. */
  prepare(request: ToolCallRequest, scope: RunScope, origin: CallOrigin, host: AttemptHost, asked?: AskedArguments): Preparation {
    const bound = this.#tools.byName.get(request.name);
    if (bound === undefined || !isPermitted(bound.definition, scope.toolContext, scope.profile)) {
      return this.#refuse(undefined, request, scope, origin, this.#unknownTool(bound, request, scope));
    }
    return this.#prepareBound(bound, request, scope, origin, host, asked);
  }

  /**
   * A call that a tool makes. It may call what the run may call, and what its own `@dependsOn` names; `@requires`
   * holds for these as for any other.
   */
  prepareNested(parent: ToolAttempt, toolClass: ToolClass, input: Record<string, unknown>, host: AttemptHost): Preparation {
    const { call } = parent;
    const { name } = toolClass.definition;
    const isAllowed = ({ definition }: Defined): boolean => isPermitted(definition, call.scope.toolContext, call.scope.profile);
    const attached = this.#attachedFor(call.bound, toolClass);
    let bound = attached.find(isAllowed);
    if (bound === undefined) {
      const declared = call.definition.dependsOn.includes(name) ? dependenciesOf(call.bound, toolClass) : noTools;
      const dependency = declared.find(isAllowed);
      if (dependency === undefined) throw this.#mayNotCall(parent, name, attached[0] ?? declared[0]);
      bound = bindTool(dependency, this.#container);
    }
    if (depthOf(parent) >= deepestNesting) {
      throw new ToolExecutionError(
        name,
        `Tool '${call.name}' may not call '${name}': tools already call tools ${deepestNesting} levels deep. Do they call each other in a circle?`,
      );
    }
    parent.nestedCalls += 1;
    const request = { id: `${call.id}/${parent.nestedCalls}`, name: bound.definition.name, arguments: input };
    const scope = { ...call.scope, abortSignal: parent.abortSignal };
    return this.#prepareBound(bound, request, scope, { maxResultBytes: Number.POSITIVE_INFINITY, byCode: true, parent }, host);
  }

  /** The name by which code that gives a class calls it: one that it may call, where there is one. */
  nameOf(toolClass: ToolClass, { toolContext, profile }: RunScope): string | undefined {
    const attached = this.#attached(toolClass);
    return (attached.find(({ definition }) => isPermitted(definition, toolContext, profile)) ?? attached[0])?.definition.name;
  }

  /** What code means by a class: the tool under every name that it is attached by. A class that a registry renamed means one name. */
  #attached(toolClass: ToolClass): readonly BoundTool[] {
    const original = originalOf(toolClass);
    const bound = this.#tools.byClass.get(original) ?? [];
    return toolClass === original ? bound : bound.filter(({ definition }) => definition.name === toolClass.definition.name);
  }

  /** A tool that calls the class whose place it has taken means that class, not itself. */
  #attachedFor({ toolClass: caller }: BoundTool, toolClass: ToolClass): readonly BoundTool[] {
    const attached = this.#attached(toolClass);
    return replaces(caller, toolClass) ? attached.filter((bound) => bound.toolClass !== caller) : attached;
  }

  /**
   * The message may reach the model, which must not learn of a tool that the run doesn't allow; and a run has no tools
   * that it doesn't allow, so that a forgotten one looks the same. The application's log names it.
   */
  #mayNotCall(parent: ToolAttempt, name: string, denied: Defined | undefined): ToolAuthorizationError {
    const { call } = parent;
    const reason =
      `Tool '${call.name}' may not call '${name}'. ` +
      (denied === undefined
        ? `Attach it beside '${call.name}', or declare @dependsOn("${name}") there; @requires of '${name}' and the run's profile must allow it too.`
        : denialOf(denied.definition, call.scope.toolContext));
    parent.reportLog("warn", reason, undefined);
    return new ToolAuthorizationError(name, `Tool '${call.name}' needs another tool that isn't allowed here.`, {
      cause: new Error(reason),
    });
  }

  #prepareBound(
    bound: BoundTool,
    request: ToolCallRequest,
    scope: RunScope,
    origin: CallOrigin,
    host: AttemptHost,
    asked?: AskedArguments,
  ): Preparation {
    const { name } = bound.definition;
    if (scope.abortSignal?.aborted === true) {
      return this.#refuse(bound, request, scope, origin, cancelledBefore(name, scope.abortSignal));
    }
    try {
      if (asked !== undefined && asked.definition === definitionHash(bound.definition)) {
        return this.#settled(bound, this.#admitAgain(bound, request, scope, origin, host, asked), request, scope, origin);
      }
      const reading = readArguments(bound, request.arguments);
      const admission =
        reading instanceof Promise
          ? reading.then((settled) => this.#admit(bound, request, scope, origin, host, settled))
          : this.#admit(bound, request, scope, origin, host, reading);
      return admission instanceof Promise ? this.#settled(bound, admission, request, scope, origin) : admission;
    } catch (error) {
      return this.#refuse(bound, request, scope, origin, thrown(name, isoTime(), error, "unhandled_error"));
    }
  }

  /** Asynchronous rules are code of the tool: they have its timeout, and end with the run. */
  async #settled(
    bound: BoundTool,
    admission: Promise<PreparedCall | ToolFailure>,
    request: ToolCallRequest,
    scope: RunScope,
    origin: CallOrigin,
  ): Promise<PreparedCall | ToolFailure> {
    const { name, timeout } = bound.definition;
    const limited = new LimitedWait({ name, timeout, abortSignal: scope.abortSignal });
    try {
      return await limited.wait(admission);
    } catch (error) {
      if (limited.stopped === "cancelled") return this.#refuse(bound, request, scope, origin, cancelledBefore(name, scope.abortSignal));
      const failure =
        limited.stopped === "timed out"
          ? failed(name, isoTime(), "timeout_error", checksTimedOut(timeout), { cause: error })
          : thrown(name, isoTime(), error, "unhandled_error");
      return this.#refuse(bound, request, scope, origin, failure);
    } finally {
      limited.end();
    }
  }

  /** Arguments that a person approved are read once more, because rules may have changed, and used as they were shown. */
  async #admitAgain(
    bound: BoundTool,
    request: ToolCallRequest,
    scope: RunScope,
    origin: CallOrigin,
    host: AttemptHost,
    asked: AskedArguments,
  ): Promise<PreparedCall | ToolFailure> {
    const again = await bound.plan.readInput(copyJson(asked.input), { owned: true, repair: false });
    let ready = again.ok ? asSettled(bound, again.value, asked) : undefined;
    if (ready === undefined) {
      // What was shown may be of the form that a transform makes, which it doesn't take.
      const reading = await readArguments(bound, request.arguments);
      if (!reading.ok) return this.#admit(bound, request, scope, origin, host, reading);
      ready = asSettled(bound, reading.value, asked);
    }
    if (ready === undefined) {
      return this.#refuse(bound, request, scope, origin, failed(bound.definition.name, isoTime(), "confirmation_denied", otherThanShown));
    }
    return this.#admit(bound, request, scope, origin, host, succeed(ready), { input: asked.input, used: asked.used });
  }

  /** The last checks, for arguments that were read. */
  #admit(
    bound: BoundTool,
    request: ToolCallRequest,
    scope: RunScope,
    origin: CallOrigin,
    host: AttemptHost,
    reading: InputReading,
    settled?: SettledArguments,
  ): Preparation {
    const { definition } = bound;
    if (!reading.ok) return this.#refuse(bound, request, scope, origin, invalidInput(definition.name, isoTime(), reading.error));
    const call = new PreparedCall(request.id, scope, bound, reading.value, origin, settled);
    const refusal = scope.ledger.refusal(call);
    if (refusal !== undefined) {
      return this.#refuse(bound, request, scope, origin, failed(definition.name, isoTime(), "retries_exhausted", refusal));
    }
    const rule = origin.decided === true ? false : definition.requiresConfirmation;
    if (typeof rule === "boolean") return settle(call, rule);
    const { context } = new ToolAttempt(call, host, scope.ledger.nextAttempt(definition.name), undefined);
    const answer = askRule(definition, settledOf(call).input, (input) => rule(input, context));
    return isPromiseLike(answer) ? Promise.resolve(answer).then((required) => settle(call, required)) : settle(call, answer);
  }

  #refuse(bound: BoundTool | undefined, request: ToolCallRequest, scope: RunScope, origin: CallOrigin, failure: ToolFailure): ToolFailure {
    return this.#recorder.refused(request, scope, origin, bound?.definition.category, capError(failure, origin.maxResultBytes));
  }

  /**
   * What isn't permitted answers like what doesn't exist, and only what this run may call is named: a hint must not tell of
   * hidden tools. The details are for code that calls.
   */
  #unknownTool(hidden: BoundTool | undefined, request: ToolCallRequest, { toolContext, profile }: RunScope): ToolFailure {
    const name = String(request.name).slice(0, longestNameShown);
    const permitted = [...this.#tools.byName.values()].filter(({ definition }) => isPermitted(definition, toolContext, profile));
    const available = permitted.map(({ definition }) => definition.name);
    const hint = available.length === 0 ? "No tools are available." : `Available tools: ${available.join(", ")}.`;
    const details = hidden === undefined ? { available } : { denial: denialOf(hidden.definition, toolContext) };
    return failed(name, isoTime(), "unknown_tool", `Unknown tool '${name}'. ${hint}`, details);
  }
}

interface Defined {
  readonly definition: ToolDefinition;
}

const noTools: readonly ToolClass[] = [];

const replaces = (caller: ToolClass, toolClass: ToolClass): boolean =>
  registrationOf(caller)?.replaces.includes(originalOf(toolClass)) === true;

/** What a tool that declares a class means by it where it isn't attached: a tool of a registry means those of the registry. */
function dependenciesOf({ toolClass: caller }: BoundTool, toolClass: ToolClass): readonly ToolClass[] {
  const registered = registrationOf(caller)?.meant(toolClass) ?? noTools;
  return registered.length === 0 ? [toolClass] : registered;
}

const otherThanShown =
  "Not run: the arguments are read otherwise than when a person approved them, so that what would run isn't what was shown. Call the tool again; a person will be asked again.";

const checksTimedOut = (timeout: number): string =>
  `The checks of the tool's arguments did not end within its timeout of ${timeout} ms, and it was not run.`;

/** Only a clear no lets the call run: a rule that forgets to answer must not open the gate. */
function settle(call: PreparedCall, requiresConfirmation: unknown): PreparedCall {
  call.requiresConfirmation = requiresConfirmation !== false;
  if (call.requiresConfirmation) inspectBeforeAsking(call.bound);
  return call;
}

function depthOf(attempt: ToolAttempt): number {
  let depth = 1;
  for (let parent = attempt.call.origin.parent; parent !== undefined; parent = parent.call.origin.parent) depth += 1;
  return depth;
}
