import type { ContentPart, Message } from "../models/index.js";
import type { ApplicationContext } from "../tool/index.js";
import { isOptions } from "../tool/internal.js";
import { type AgentDefinition, agentDefinitionOf } from "./agent-definition.js";
import { agentMark } from "./agent-mark.js";
import type { AgentTools } from "./agent-tools.js";
import type { MessageListener } from "../conversation/index.js";
import { setSource, pairHistory } from "../conversation/internal.js";
import type { ConversationStore, StoredConversation } from "../storage/index.js";
import { checkStored } from "../storage/internal.js";
import { type ObstacleSearch, obstacleSearch } from "./run/decision-obstacle.js";
import type { GenerateOptions, ResumeOptions } from "./run-options.js";
import type { PostedMessage } from "./posted/posted-message.js";
import { answerPosted, streamPosted } from "./posted/stream-posted.js";
import type { AgentResponse } from "./agent-response.js";
import { type AroundRun, aroundRun } from "./run/around-run.js";
import { ConversationRuns } from "./run/conversation-runs.js";
import { type ChooseRun, chooseRun } from "./run/run-choice.js";
import type { StepChanges, StepSituation } from "./run/step-preparation.js";
import type { RunState } from "../loop/index.js";
import type { AgentEvent } from "./stream/agent-event.js";
import { AgentStream } from "./stream/agent-stream.js";
import type { Resumption } from "./sub-agents/calling-run.js";
import { runHeard } from "./sub-agents/run-heard.js";

/** What a user says: a text, or texts with images and files. */
export type Prompt = string | readonly ContentPart[];

/** The class of an agent. */
export interface AgentClass {
  // Constructor parameters are services of the application's container: their types can't be known here.
  // biome-ignore lint/suspicious/noExplicitAny: a narrower type would refuse classes with injected services
  new (...services: any[]): Agent;
  readonly name: string;
  readonly definition: AgentDefinition;
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
export abstract class Agent<Output = unknown> {
  /** @internal */
  static readonly [agentMark] = true;

  readonly #runs: ConversationRuns<Output> = new ConversationRuns(this);

  /** The resolved, frozen definition. Throws `AgentDefinitionError` and `ToolDefinitionError` for authors' mistakes. */
  static get definition(): AgentDefinition {
    return agentDefinitionOf(this as unknown as AgentClass);
  }

  /** The name of the agent: what `@identifier` says, else the class name in snake_case. */
  static get identifier(): string {
    return agentDefinitionOf(this as unknown as AgentClass).name;
  }

  /** One question to a new conversation: `await WeatherAgent.generate("Weather in Paris?")`. */
  static generate<Output>(this: new () => Agent<Output>, prompt: Prompt, options?: GenerateOptions): Promise<AgentResponse<Output>> {
    return new this().generate(prompt, options);
  }

  /** One question to a new conversation, answered piece by piece. */
  static stream<Output>(this: new () => Agent<Output>, prompt: Prompt, options?: GenerateOptions): AgentStream<Output> {
    return new this().stream(prompt, options);
  }

  /** A copy of the history so far; the instructions are not part of it. */
  get messages(): readonly Message[] {
    return this.#runs.conversation.copyFrom(0);
  }

  /** Tells the listener of each assistant and tool message when it joins the history. Returns the function that ends it. */
  onMessage(listener: MessageListener): () => void {
    return this.#runs.conversation.listen(listener);
  }

  /**
   * Replaces the history by a stored one, to go on from there. It is copied, and put in order where a call has no
   * result. Throws `AgentBusyError` during a `generate`.
   */
  restore(messages: readonly Message[]): this {
    this.#runs.restore(pairHistory(messages));
    return this;
  }

  /**
   * Goes on with a stored conversation; without one under the id it is a new one. A run that waited is `agent.state` again.
   *
   * ```ts
   * const agent = await new SupportAgent().load(store, "user-42");
   * await agent.generate("And the other order?");
   * await agent.save(store, "user-42");
   * ```
   *
   * Throws what the store throws, and `ConversationStoreError` where what it gives is no conversation.
   */
  async load(store: ConversationStore, id: string): Promise<this> {
    const loaded = await store.load(id);
    setSource(this, { store, id });
    const { messages, state, givenUp } = loaded === undefined ? emptyConversation : checkStored(loaded, `conversation "${id}"`);
    // A store returns what `save` gave it: messages and a state of this library.
    this.#runs.restore(pairHistory(messages as readonly Message[]), state as RunState | undefined, givenUp);
    return this;
  }

  /** Stores the history, and the run where it can be resumed. During a run it is the run so far. */
  async save(store: ConversationStore, id: string): Promise<void> {
    const { messages, state } = this;
    const { givenUp } = this.#runs;
    await store.save(id, { version: 1, messages, ...(state !== undefined && { state }), ...(givenUp.length > 0 && { givenUp }) });
  }

  /**
   * The run as frozen JSON, to be stored and resumed: while it is under way (after a crash, calls that had no result run
   * again, with the same `idempotencyKey`), and after it was paused, stopped or failed. `undefined` where there is none
   * to be resumed.
   */
  get state(): RunState | undefined {
    return this.#runs.state;
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
    // TypeScript types `constructor` as any function; it is the class that made this instance.
    const { tools } = agentDefinitionOf(this.constructor as AgentClass);
    return typeof tools === "function" ? tools(context) : tools;
  }

  /**
   * Asked before each model call, where a subclass has it: gives what is different in this step.
   *
   * ```ts
   * override prepareStep({ step }: StepSituation) {
   *   return step > 3 ? { model: "openai/gpt-5", toolChoice: "none" as const } : {};
   * }
   * ```
   */
  prepareStep?(situation: StepSituation): StepChanges | undefined | Promise<StepChanges | undefined>;

  /**
   * Asks the model, runs the tools that it calls and tells it their results, until it answers. However the run
   * ends, `generate` can be called again. Calls that still wait for a person can't be approved then: the model reads that they
   * were not run, and `response.givenUp` lists them.
   *
   * Without a prompt it answers a restored history as it is: one that ends with a user message or with results of tools. Throws a
   * `TypeError` if there is nothing to answer.
   *
   * Throws `AgentBusyError` while another run of this instance is under way, `AgentDefinitionError` and
   * `ToolDefinitionError` for authors' mistakes, and what a tool throws as an interrupt (LangGraph's, say).
   */
  generate(prompt?: Prompt, options: GenerateOptions = {}): Promise<AgentResponse<Output>> {
    return this.#runs.generate(prompt, options);
  }

  /**
   * As `generate`, told while it happens: an async iterable of `AgentEvent`, with the `response` and a `textStream`.
   * Leaving the iteration early aborts the run.
   *
   * ```ts
   * for await (const event of agent.stream("Weather in Paris?")) {
   *   if (event.type === "text_delta") process.stdout.write(event.delta);
   * }
   * ```
   */
  stream(prompt?: Prompt, options: GenerateOptions = {}): AgentStream<Output> {
    return new AgentStream(
      (emit, abortSignal) => this.#runs.generate(prompt, withSignal(options, abortSignal), emit),
      options?.abortSignal,
    );
  }

  /**
   * Goes on with a run that was paused, stopped or failed, in this process or another: the history of this instance
   * becomes the run's. Decisions are for calls that wait; those without one pause the run again. Calls that have their
   * results don't run again. Without `maxSteps` or `budget` of its own, a run whose limits were used up gets fresh ones.
   *
   * ```ts
   * const response = await new RefundAgent().resume(state, { decisions: [approve("call_1")], toolContext });
   * ```
   *
   * Throws `RunStateError` for a state that was changed, is of another agent or version, or is finished, and
   * `DecisionError` for decisions that don't fit it; nothing has run then, and the state can be resumed again.
   */
  resume(state: RunState, options: ResumeOptions = {}): Promise<AgentResponse<Output>> {
    return this.#runs.resume(state, options);
  }

  /** As `resume`, told while it happens. */
  resumeStream(state: RunState, options: ResumeOptions = {}): AgentStream<Output> {
    return new AgentStream((emit, abortSignal) => this.#runs.resume(state, withSignal(options, abortSignal), emit), options?.abortSignal);
  }

  /**
   * Stops the run that is under way before its next model call or tool call, with the outcome `interrupted`; what has
   * begun is finished. The run can be resumed. False where no run is under way.
   */
  interrupt(reason: string): boolean {
    return this.#runs.interrupt(reason);
  }

  /** @internal Runs the agent for another one: a new prompt, or a run that goes on. `emit` hears of it as a stream does. */
  [runHeard](work: Prompt | Resumption, options: GenerateOptions, emit?: (event: AgentEvent) => void): Promise<AgentResponse<Output>> {
    if (typeof work === "string" || !("state" in work)) return this.#runs.generate(work, options, emit);
    return this.#runs.resume(work.state, { ...options, decisions: work.decisions }, emit);
  }

  /** @internal Answers what a page posted; `undefined` if the conversation doesn't have the message. */
  [streamPosted](posted: PostedMessage, options: GenerateOptions): AgentStream<Output> | undefined {
    return answerPosted(this.#runs, this.constructor as AgentClass, posted, options);
  }

  /** @internal Where a class has it, it is asked in place of `tools`. */
  [chooseRun]?(...asked: Parameters<ChooseRun>): ReturnType<ChooseRun>;

  /** @internal Where an instance has it, each of its runs goes through it. */
  declare [aroundRun]?: AroundRun;

  /** @internal Why calls of a stored run can't run as a person decided. */
  [obstacleSearch](state: RunState, options: GenerateOptions): Promise<ObstacleSearch> {
    return this.#runs.searchObstacles(state, options);
  }
}

/** What is no object of options stays what it is, to be refused: spread, a promise would be an object without any. */
const withSignal = <Options extends GenerateOptions>(options: Options, abortSignal: AbortSignal): Options =>
  isOptions(options) ? { ...options, abortSignal } : options;

const emptyConversation: StoredConversation = Object.freeze({ version: 1, messages: [] });
