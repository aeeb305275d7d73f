import { type Container, createRunScope, currentContainer } from "../execution/index.js";
import type { Message } from "../models/index.js";
import { type AgentDefinition, agentDefinitionOf, checkMaxSteps, classNameOf } from "./agent-definition.js";
import { modelFor } from "./agent-model.js";
import type { AgentTools } from "./agent-tools.js";
import type { ApplicationContext } from "./application-context.js";
import { attachTools } from "./attached-tools.js";
import { Conversation, type MessageListener } from "./conversation.js";
import { AgentBusyError } from "./errors.js";
import type { AgentListener } from "./listener.js";
import { initialState } from "./loop/index.js";
import { pairHistory } from "./pair-history.js";
import { type AgentResponse, responseOf } from "./response.js";
import { Run } from "./run.js";

/** The class of an agent. */
export interface AgentClass {
  // Constructor parameters are services of the application's container: their types can't be known here.
  // biome-ignore lint/suspicious/noExplicitAny: a narrower type would refuse classes with injected services
  new (...services: any[]): Agent;
  readonly name: string;
  readonly definition: AgentDefinition;
}

export interface GenerateOptions {
  /** The application's bag, for tools and for the functions of `@model`, `@instructions` and `@usesTools` (seed 002, "Accessing Context"). */
  readonly toolContext?: ApplicationContext & Record<string, unknown>;
  /** Ends the run with outcome `aborted`; the model and the tools see the signal with its reason. */
  readonly abortSignal?: AbortSignal;
  /** The most model calls of this run, in place of `@maxSteps`. */
  readonly maxSteps?: number;
  /** The most tool calls of one step that run at the same time. Default: 10. */
  readonly concurrency?: number;
  /** Makes the tools of this run, in place of those given to `@usesContainer` and `useContainer`. */
  readonly container?: Container;
  readonly listeners?: readonly AgentListener[];
}

/**
 * The base of every agent. One instance is one conversation: each `generate` adds to its history.
 *
 * ```ts
 * @model("openai/gpt-5-mini")
 * @instructions("You are a weather assistant.")
 * @usesTools([WeatherTool])
 * class WeatherAgent extends Agent {}
 *
 * const agent = new WeatherAgent();
 * const response = await agent.generate("Weather in Paris?", { toolContext: { userId: "42" } });
 * console.log(response.text ?? response.outcome.detail);
 * ```
 *
 * A subclass may have a constructor with services of its own, and override `tools`.
 */
export abstract class Agent {
  readonly #conversation = new Conversation();
  #busy = false;

  /** The resolved, frozen definition. Throws `AgentDefinitionError` and `ToolDefinitionError` for authors' mistakes. */
  static get definition(): AgentDefinition {
    return agentDefinitionOf(this as unknown as AgentClass);
  }

  /** The name of the agent: what `@identifier` says, else the class name in snake_case. */
  static get identifier(): string {
    return agentDefinitionOf(this as unknown as AgentClass).name;
  }

  /** One question to a new conversation: `await WeatherAgent.generate("Weather in Paris?")`. */
  static generate(this: new () => Agent, prompt: string, options?: GenerateOptions): Promise<AgentResponse> {
    return new this().generate(prompt, options);
  }

  /** A copy of the history so far; the instructions are not part of it. */
  get messages(): readonly Message[] {
    return this.#conversation.copyFrom(0);
  }

  /** Tells the listener of each assistant and tool message when it joins the history. Returns the function that ends it. */
  onMessage(listener: MessageListener): () => void {
    return this.#conversation.listen(listener);
  }

  /**
   * Replaces the history by a stored one, to go on from there. It is copied, and put in order where a call has no
   * result. Throws `AgentBusyError` during a `generate`.
   */
  restore(messages: readonly Message[]): this {
    this.#refuseWhileBusy();
    this.#conversation.restore(pairHistory(messages));
    return this;
  }

  /**
   * The tools of a run, asked for at its start: by default what `@usesTools` says. Override it where the choice needs
   * the agent's services. Tools whose `@requires` the context doesn't meet are left out in any case.
   *
   * ```ts
   * override async tools({ userId }: ApplicationContext) {
   *   return (await this.accounts.isPremium(userId)) ? [SearchTool, AnalyticsTool] : [SearchTool];
   * }
   * ```
   */
  tools(context: ApplicationContext): AgentTools | Promise<AgentTools> {
    const { tools } = agentDefinitionOf(this.#class);
    return typeof tools === "function" ? tools(context) : tools;
  }

  /**
   * Asks the model, runs the tools that it calls and tells it their results, until it answers. However the run
   * ends, the history is in order and `generate` can be called again.
   *
   * Throws `AgentBusyError` while another `generate` runs on this instance, `AgentDefinitionError` and
   * `ToolDefinitionError` for authors' mistakes, and the `ToolInterrupt` of a tool that needs a confirmation.
   */
  async generate(prompt: string, options: GenerateOptions = {}): Promise<AgentResponse> {
    this.#refuseWhileBusy();
    this.#busy = true;
    try {
      const start = this.#conversation.length;
      const run = await this.#prepare(options);
      this.#conversation.append({ role: "user", content: prompt });
      const outcome = await run.toOutcome();
      return responseOf(run, outcome, this.#conversation.copyFrom(start));
    } finally {
      this.#busy = false;
    }
  }

  async #prepare(options: GenerateOptions): Promise<Run> {
    const definition = agentDefinitionOf(this.#class);
    const {
      toolContext = emptyContext,
      abortSignal,
      container = definition.container ?? currentContainer(),
      listeners = noListeners,
      concurrency = defaultConcurrency,
    } = options;
    const { name, model: choice, modelOptions, instructions, maxSteps } = definition;
    checkConcurrency(concurrency);
    const steps = options.maxSteps === undefined ? maxSteps : checkMaxSteps(options.maxSteps, this.#className);
    const tools = attachTools(this.#class, await this.tools(toolContext), toolContext, this.#className);
    const executor = tools.executor(container, listeners);
    const model = await modelFor(choice, toolContext);
    const conversation = this.#conversation;
    conversation.instruct(typeof instructions === "function" ? await instructions(toolContext) : instructions);
    const scope = createRunScope({ agent: name, toolContext, ...(abortSignal !== undefined && { abortSignal }) });
    return new Run({ agent: name, conversation, model, modelOptions, tools, executor, scope, listeners, concurrency }, initialState(steps));
  }

  #refuseWhileBusy(): void {
    if (this.#busy) throw new AgentBusyError(this.#className);
  }

  get #className(): string {
    return classNameOf(this.#class);
  }

  get #class(): AgentClass {
    // TypeScript types `constructor` as any function; it is the class that made this instance.
    return this.constructor as AgentClass;
  }
}

const defaultConcurrency = 10;

function checkConcurrency(concurrency: number): void {
  if (concurrency >= 1) return;
  throw new RangeError(`generate: concurrency is ${concurrency}, but counts tool calls that run at once: give at least 1.`);
}

const noListeners: readonly AgentListener[] = [];

const emptyContext: ApplicationContext & Record<string, unknown> = Object.freeze({});
