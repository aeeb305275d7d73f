import type { Repair } from "../schema/index.js";
import { freezeDeep } from "../schema/internal.js";
import type { ToolClass, ToolDefinition } from "../tool/index.js";
import type { ReadyInput, ToolPlan } from "../tool/internal.js";
import type { ToolConstructor } from "./container/container.js";
import { copyJson } from "./result/copy-json.js";
import type { RunScope } from "./run-scope.js";
import { type SettledArguments, settledArguments, transformedArguments } from "./settled-arguments.js";
import type { ToolAttempt } from "./tool-attempt.js";

/** A tool call as a model or an application makes it. */
export interface ToolCallRequest {
  readonly id: string;
  readonly name: string;
  /** JSON text as the model wrote it, or an object. */
  readonly arguments: string | Record<string, unknown>;
}

/** A tool class as an executor holds it: resolved once, called often. */
export interface BoundTool {
  readonly toolClass: ToolClass;
  readonly definition: ToolDefinition;
  readonly plan: ToolPlan;
  readonly construct: ToolConstructor;
}

/** Where a call comes from: code that reads the result itself gets it whole, and a tool may call another. */
export interface CallOrigin {
  readonly maxResultBytes: number;
  /** Code gets the tool's data as the tool returned it: known secrets are taken out for models alone. */
  readonly byCode?: boolean;
  readonly parent?: ToolAttempt;
  /** A person has decided about the call: the tool's confirmation rule isn't asked. */
  readonly decided?: boolean;
}

/** The values that the tool of a call gets. Only the executor has them. */
export let readyOf: (call: PreparedCall) => ReadyInput;

/** The arguments of a call as JSON, neither copied nor frozen: for the executor, which writes nothing. */
export let settledOf: (call: PreparedCall) => SettledArguments;

/** Whether the call runs for the first time: the tool may change the values of its first run. */
export let beginsFirst: (call: PreparedCall) => boolean;

/** A call that passed every check and hasn't run: what `prepare` gives and `execute` takes. */
export class PreparedCall {
  readonly id: string;
  readonly scope: RunScope;
  readonly bound: BoundTool;
  readonly origin: CallOrigin;
  readonly #ready: ReadyInput;
  #settled: SettledArguments | undefined;
  #isKept = false;
  #hasBegun = false;
  /** What the tool's rule answered, once, for these arguments. */
  requiresConfirmation = false;

  static {
    readyOf = (call) => call.#ready;
    beginsFirst = (call) => {
      const isFirst = !call.#hasBegun;
      call.#hasBegun = true;
      return isFirst;
    };
    settledOf = (call) => (call.#settled ??= settledArguments(call.bound, call.#ready));
  }

  constructor(id: string, scope: RunScope, bound: BoundTool, ready: ReadyInput, origin: CallOrigin, settled?: SettledArguments) {
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

  get definition(): ToolDefinition {
    return this.bound.definition;
  }

  /** Milliseconds. */
  get timeout(): number {
    return this.bound.definition.timeout;
  }

  get abortSignal(): AbortSignal | undefined {
    return this.scope.abortSignal;
  }

  /** The validated arguments with defaults applied, as plain JSON, frozen: what a person confirms. */
  get input(): Record<string, unknown> {
    return this.settled.input;
  }

  /** `input`, and the values that a transform makes of it, if it makes others. Frozen, because other code reads it here. */
  get settled(): SettledArguments {
    return freezeDeep(this.keep());
  }

  /** What a transform made of arguments, by parameter: what is used in place of what was sent. */
  get transformed(): Record<string, unknown> | undefined {
    return transformedArguments(this.bound, settledOf(this));
  }

  get repairs(): readonly Repair[] | undefined {
    return this.#ready.repairs;
  }

  /** What is shown and recorded is a copy from now on: the tool may write into its own values. Freezing costs far more than copying. */
  keep(): SettledArguments {
    if (!this.#isKept) this.#settled = copyJson(settledOf(this)) as SettledArguments;
    this.#isKept = true;
    return settledOf(this);
  }
}
