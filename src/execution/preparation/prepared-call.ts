import type { Repair } from "../../schema/index.js";
import { freezeDeep } from "../../schema/internal.js";
import type { ToolClass, ToolDefinition, ToolLog } from "../../tool/index.js";
import type { ReadyInput, ToolPlan } from "../../tool/internal.js";
import type { ToolConstructor } from "../container/container.js";
import { copyJson } from "../result/copy-json.js";
import type { RunScope } from "../run-scope.js";
import { type AskedArguments, type SettledArguments, settledArguments, transformedArguments } from "./settled-arguments.js";

/** A tool call, as a model or an application makes it. */
export interface ToolCallRequest {
  /** The id of the call, unique in its run. */
  readonly id: string;
  /** The tool's name. */
  readonly name: string;
  /** The JSON text that the model wrote, or an object. */
  readonly arguments: string | Record<string, unknown>;
}

/** A tool class as an executor holds it: resolved once, called often. */
export interface BoundTool {
  readonly toolClass: ToolClass;
  readonly definition: ToolDefinition;
  readonly plan: ToolPlan;
  readonly construct: ToolConstructor;
  /** False if the class is made without a container. */
  readonly hasContainer?: boolean;
  /** Set for an isolated tool: its instance is made and run in another thread or process. */
  readonly isElsewhere?: true;
}

/** The origin of a call: a model, the application, or another tool. */
export interface CallOrigin {
  /** The most bytes of the result's text. */
  readonly maxResultBytes: number;
  /** Code gets the tool's data as the tool returned it. Known secrets are removed for models only. */
  readonly byCode?: boolean;
  /** The code of a tool that makes the call. */
  readonly parent?: RunningCode;
  /** A person has decided about the call, so the tool's confirmation rule isn't asked. */
  readonly decided?: boolean;
}

/** A call that has come in, and has passed no check yet. */
export interface IncomingCall {
  readonly id: string;
  /** The arguments as they were sent. */
  readonly given: ToolCallRequest["arguments"];
  readonly scope: RunScope;
  readonly origin: CallOrigin;
  /** `undefined` if the run has no such tool. */
  readonly bound: BoundTool | undefined;
  /** The arguments that a person approved. The tool gets them as they were shown. */
  readonly asked: AskedArguments | undefined;
}

/** A call whose tool was found. */
export interface BoundCall extends IncomingCall {
  readonly bound: BoundTool;
}

/** The keys of limits that a call holds while it runs. */
export interface HeldKeys {
  readonly exclusive: string | undefined;
  readonly concurrency: string | undefined;
}

/** Code of a tool that runs for a call and gets a context: the tool's body in an attempt, or one of its rules. */
export interface RunningCode {
  readonly call: PreparedCall;
  /** The number of the attempt, from 1, per tool and run. */
  readonly number: number;
  /** The keys that it holds, if its tool has limits. */
  readonly held: HeldKeys | undefined;
  readonly abortSignal: AbortSignal;
  /** How many calls of other tools it made. */
  nestedCalls: number;
  reportProgress(fraction: number, message: string | undefined): void;
  reportLog(level: keyof ToolLog, message: string, details: Record<string, unknown> | undefined): void;
  callTool(toolClass: ToolClass, input: Record<string, unknown>): Promise<unknown>;
}

/** The values that the tool of a call gets. Only the executor has them. */
export let readyOf: (call: PreparedCall) => ReadyInput;

/** The arguments of a call as JSON, neither copied nor frozen: for the executor, which doesn't write into them. */
export let settledOf: (call: PreparedCall) => SettledArguments;

/** Whether the call runs for the first time. The tool may change the values of its first run. */
export let beginsFirst: (call: PreparedCall) => boolean;

/**
 * A call that passed all checks and hasn't run yet: the result of `prepare`, the argument of `execute` and of middleware.
 *
 * See docs/15-middleware.md.
 */
export class PreparedCall {
  /** The id of the call. */
  readonly id: string;
  /** The run that the call belongs to. */
  readonly scope: RunScope;
  /** The tool class with its resolved definition. */
  readonly bound: BoundTool;
  /** Who made the call: a model, code, or another tool. */
  readonly origin: CallOrigin;
  readonly #ready: ReadyInput;
  #settled: SettledArguments | undefined;
  #isKept = false;
  #hasBegun = false;
  /** The answer of the tool's confirmation rule for these arguments. */
  requiresConfirmation = false;
  /** The result of a call that is answered elsewhere; it is checked like any other. Set it before `execute`. */
  answer: { readonly value: unknown } | undefined = undefined;

  static {
    readyOf = (call) => call.#ready;
    beginsFirst = (call) => {
      const isFirst = !call.#hasBegun;
      call.#hasBegun = true;
      return isFirst;
    };
    settledOf = (call) => (call.#settled ??= settledArguments(call.bound, call.#ready));
  }

  constructor(
    { id, scope, bound, origin }: Pick<BoundCall, "id" | "scope" | "bound" | "origin">,
    ready: ReadyInput,
    settled: SettledArguments | undefined,
  ) {
    this.id = id;
    this.scope = scope;
    this.bound = bound;
    this.origin = origin;
    this.#ready = ready;
    this.#settled = settled;
  }

  /** The tool's name. */
  get name(): string {
    return this.bound.definition.name;
  }

  /** The tool's definition. */
  get definition(): ToolDefinition {
    return this.bound.definition;
  }

  /** The tool's timeout in milliseconds. */
  get timeout(): number {
    return this.bound.definition.timeout;
  }

  /** The signal of the run. */
  get abortSignal(): AbortSignal | undefined {
    return this.scope.abortSignal;
  }

  /** The validated arguments with defaults applied, as frozen JSON: what a person confirms. */
  get input(): Record<string, unknown> {
    return this.settled.input;
  }

  /** `input`, with the values that a transform makes from it, if it does. Frozen. */
  get settled(): SettledArguments {
    return freezeDeep(this.keep());
  }

  /** The values that a transform makes from arguments, by parameter. The tool receives these. */
  get transformed(): Record<string, unknown> | undefined {
    return transformedArguments(this.bound, settledOf(this));
  }

  /** The repairs that made the arguments valid, such as `"42"` to 42. */
  get repairs(): readonly Repair[] | undefined {
    return this.#ready.repairs;
  }

  /** Copies the arguments that are displayed and recorded, because the tool may change its own. Called by the executor. */
  keep(): SettledArguments {
    if (!this.#isKept) this.#settled = copyJson(settledOf(this)) as SettledArguments;
    this.#isKept = true;
    return settledOf(this);
  }
}
