import { randomUUID } from "node:crypto";
import {
  createRunScope,
  isPermitted,
  PreparedCall,
  type Preparation,
  type RunScope,
  type ToolCallRequest,
  ToolExecutor,
} from "../../execution/index.js";
import type { JsonSchema } from "../../schema/index.js";
import { type Restore, type WireForm, WireNames, wireDescription, wireSchema } from "../../schema/internal.js";
import { type ToolClass, type ToolDefinition, ToolDefinitionError, type ToolResult } from "../../tool/index.js";
import { asToolList, checkOptionNames, follow, isOptions, type OptionNames } from "../../tool/internal.js";
import type { AdapterOptions } from "./adapter-options.js";

/** A tool in a framework's form. */
export interface AdapterTarget {
  /** The function that the application calls, which begins messages. */
  readonly owner: string;
  readonly form: WireForm;
  /** The legal form of a tool's name there; by default that of all providers. */
  readonly legalName?: (name: string) => string;
  /** Whether the framework takes answers of its client for calls of tools without code. */
  readonly canAnswer?: boolean;
}

/** What a framework gets to know about a tool. */
export interface AdaptedTool {
  readonly toolClass: ToolClass;
  readonly definition: ToolDefinition;
  /** Legal for the framework and its providers. */
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** Whether `parameters` are made for the strict mode of OpenAI. */
  readonly strict: boolean;
  /** Turns arguments that were written for `parameters` into the tool's own. */
  readonly restore: Restore | undefined;
}

/** A call as a framework makes it. */
export interface AdaptedCall<FrameworkContext> {
  /** The model's id of the call; a new one if there is none. */
  readonly id: string | undefined;
  readonly input: unknown;
  readonly context: FrameworkContext;
  readonly abortSignal: AbortSignal | undefined;
}

const optionNames: OptionNames<AdapterOptions<unknown>> = { scope: true, container: true, listeners: true, maxResultBytes: true };

/** A call with the scope that it runs in. */
export interface OpenedCall {
  readonly id: string | undefined;
  readonly input: unknown;
  readonly scope: RunScope;
}

/** Tools for another framework: their descriptions, and one executor behind all their calls. */
export class ToolAdapter<FrameworkContext> {
  /** Those that the model may see. */
  readonly tools: readonly AdaptedTool[];
  /** Whether one of them may ask a person. */
  readonly asks: boolean;
  readonly #executor: ToolExecutor;
  /** No events for a call that is only checked: they come when it runs. */
  readonly #silent: ToolExecutor;
  readonly #scope: AdapterOptions<FrameworkContext>["scope"];
  readonly #run: RunScope | undefined;
  readonly #owner: string;

  constructor(given: readonly ToolClass[], options: AdapterOptions<FrameworkContext>, target: AdapterTarget) {
    checkOptionNames(options, optionNames, target.owner);
    this.#owner = target.owner;
    const tools = asToolList(given, target.owner);
    const { scope, ...settings } = options;
    if (scope !== undefined && typeof scope !== "function" && typeof scope !== "object") {
      throw new TypeError(`${target.owner}: scope must be an object such as { toolContext }, or a function that gives one.`);
    }
    this.#executor = new ToolExecutor({ tools, ...settings });
    this.#scope = scope;
    this.#run = typeof scope === "object" ? createRunScope(scope) : undefined;
    const shown = typeof scope === "function" ? tools : tools.filter(({ definition }) => this.#allows(definition, scope));
    this.tools = adapt(shown, target);
    this.asks = this.tools.some(({ definition }) => definition.requiresConfirmation !== false);
    // Without a tool that asks for confirmation, no call is only checked.
    this.#silent = this.asks ? new ToolExecutor({ tools, ...settings, listeners: [] }) : this.#executor;
  }

  /** Makes a call. `decided`: a person has approved it. Rejects with an interrupt if it waits for a person, and with nothing else. */
  call(tool: AdaptedTool, call: AdaptedCall<FrameworkContext>, decided = false): Promise<ToolResult> {
    return this.during(call, (opened) =>
      decided ? this.#callDecided(tool, opened) : this.#executor.call(requestOf(tool, opened), opened.scope),
    );
  }

  async #callDecided(tool: AdaptedTool, opened: OpenedCall): Promise<ToolResult> {
    const prepared = await this.prepare(tool, opened, true);
    return prepared instanceof PreparedCall ? this.execute(prepared) : prepared;
  }

  /** Does the work of a call, whose signal follows those of the run and of the framework until the work has ended. */
  async during<Result>(call: AdaptedCall<FrameworkContext>, work: (opened: OpenedCall) => Promise<Result>): Promise<Result> {
    const { id, input, context, abortSignal } = call;
    const run = this.#run ?? createRunScope(typeof this.#scope === "function" ? this.#asked(this.#scope, context) : {});
    if (abortSignal === undefined) return work({ id, input, scope: run });
    if (run.abortSignal === undefined) return work({ id, input, scope: { ...run, abortSignal } });
    const controller = new AbortController();
    const ends = [follow(run.abortSignal, controller), follow(abortSignal, controller)];
    try {
      return await work({ id, input, scope: { ...run, abortSignal: controller.signal } });
    } finally {
      for (const end of ends) end();
    }
  }

  prepare(tool: AdaptedTool, opened: OpenedCall, decided: boolean): Preparation {
    return this.#executor.prepare(requestOf(tool, opened), opened.scope, { decided });
  }

  execute(call: PreparedCall): Promise<ToolResult> {
    return this.#executor.execute(call);
  }

  /** Whether a person has to be asked before the call. What fails before that needs no person: the call says how. */
  async needsApproval(tool: AdaptedTool, call: AdaptedCall<FrameworkContext>): Promise<boolean> {
    const prepared = await this.during(call, async (opened) => this.#silent.prepare(requestOf(tool, opened), opened.scope));
    return prepared instanceof PreparedCall && prepared.requiresConfirmation;
  }

  /** Whether the tool may be shown and called in this context. */
  permits({ definition }: AdaptedTool, context: FrameworkContext): boolean {
    return typeof this.#scope !== "function" || this.#allows(definition, this.#asked(this.#scope, context));
  }

  #allows(definition: ToolDefinition, scope: Partial<RunScope> | undefined): boolean {
    return isPermitted(definition, scope?.toolContext, scope?.profile);
  }

  /** A promise, or nothing, would be a scope without a profile. */
  #asked(scope: (context: FrameworkContext) => Partial<RunScope>, context: FrameworkContext): Partial<RunScope> {
    const asked = scope(context);
    if (isOptions(asked)) return asked;
    throw new TypeError(`${this.#owner}: the function scope must return an object such as { toolContext }, and no promise of one.`);
  }
}

function requestOf({ definition, restore }: AdaptedTool, { id = randomUUID(), input }: OpenedCall): ToolCallRequest {
  const own = restore === undefined ? input : restore(input);
  // The executor checks whatever came as arguments.
  return { id, name: definition.name, arguments: own as ToolCallRequest["arguments"] };
}

function adapt(tools: readonly ToolClass[], { form, legalName, owner, canAnswer }: AdapterTarget): readonly AdaptedTool[] {
  const names = new WireNames(
    tools.map(({ definition }) => definition.name),
    legalName,
  );
  return tools.map((toolClass) => {
    const { definition } = toolClass;
    if (definition.answeredBy !== undefined && canAnswer !== true) {
      throw new ToolDefinitionError(
        `${owner}: ${toolClass.name} is answered by the client, which this framework has no place for. Leave it out, or give it a call method.`,
      );
    }
    const { name, description, parametersSchema, examples } = definition;
    const schema = wireSchema(parametersSchema, form);
    // Not these forms: they take every schema that a definition does.
    if ("refused" in schema) throw new ToolDefinitionError(`${name}: ${schema.refused}`);
    const { parameters, strict, restore } = schema;
    const text = wireDescription(description, schema, examples);
    return { toolClass, definition, name: names.toWire(name), description: text, parameters, strict, restore };
  });
}
