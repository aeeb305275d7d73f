import type { Repair } from "../schema/index.js";
import type { ToolClass, ToolDefinition } from "../tool/index.js";
import type { ReadyInput, ToolPlan } from "../tool/internal.js";
import type { ToolConstructor } from "./container.js";
import type { RunScope } from "./run-scope.js";
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

/** A call that passed every check and hasn't run: what `prepare` gives and `execute` takes. */
export class PreparedCall {
  readonly id: string;
  readonly scope: RunScope;
  readonly bound: BoundTool;
  readonly ready: ReadyInput;
  readonly origin: CallOrigin;
  /** What the tool's rule answered, once, for these arguments. */
  requiresConfirmation = false;

  constructor(id: string, scope: RunScope, bound: BoundTool, ready: ReadyInput, origin: CallOrigin) {
    this.id = id;
    this.scope = scope;
    this.bound = bound;
    this.ready = ready;
    this.origin = origin;
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

  /** The validated arguments with defaults applied, as plain JSON. */
  get input(): Record<string, unknown> {
    return this.ready.input;
  }

  get repairs(): readonly Repair[] | undefined {
    return this.ready.repairs;
  }
}
