import type { ContentPart, Message, ConversationPrefix } from "../models/index.js";
import type { ApplicationContext } from "../tool/index.js";
import { isOptions } from "../tool/internal.js";
import { type AgentDefinition, agentMark, type AgentTools, runForCaller, type SubAgentWork } from "./agent-class.js";
import { agentDefinitionOf } from "./agent-definition.js";
import type { MessageListener } from "../conversation/index.js";
import { ConversationSaves, setSource, pairHistory } from "../conversation/internal.js";
import type { ConversationStore } from "../storage/index.js";
import { type ObstacleSearch, obstacleSearch } from "./run/decision-obstacle.js";
import type { GenerateOptions, ResumeOptions, Prompt } from "./run-options.js";
import type { ChatMessage } from "./chat/chat-message.js";
import { answerChatMessage, streamChatMessage } from "./chat/answer-chat-message.js";
import type { AgentResponse } from "./agent-response.js";
import { type AroundRun, aroundRun, carryOn, type ChooseRun, chooseRun, handOver, type RunWatch } from "./run/run-hooks.js";
import type { OpenedJournal } from "./run/run-journal.js";
import { ConversationRuns } from "./run/conversation-runs.js";
import type { StepChanges, StepSituation } from "./run/step-changes.js";
import type { RunState } from "../loop/index.js";
import type { AgentEvent } from "./stream/agent-event.js";
import { AgentStream } from "./stream/agent-stream.js";

/** The class of an agent: what `@usesTools` takes for a sub-agent. */
export interface AgentClass {
  // Constructor parameters are services of the application's container: their types can't be known here.
  // biome-ignore lint/suspicious/noExplicitAny: a narrower type would refuse classes with injected services
  new (...services: any[]): Agent;
  /** The name of the class. */
  readonly name: string;
  /** The resolved, frozen definition of the agent. */
  readonly definition: AgentDefinition;
}

/**
 * The base class of agents. One instance is one conversation: each `generate` adds to its history.
 *
 * Configure a subclass with decorators:
 *
 * - `@model("openai/gpt-5-mini")`
 * - `@instructions("You are a weather assistant.")`
 * - `@usesTools([WeatherTool])`
 *
 * ```ts
 * const agent = new WeatherAgent();
 * const response = await agent.generate("Weather in Paris?", { toolContext: { userId: "42" } });
 * console.log(response.text ?? response.outcome.detail);
 * ```
 *
 * A subclass may have a constructor that takes services, and may override `tools` and `prepareStep`. See docs/03-agents.md.
 */
export abstract class Agent<Output = unknown> {
  /** @internal */
  static readonly [agentMark] = true;

  readonly #runs: ConversationRuns<Output> = new ConversationRuns(this);
  readonly #saves = new ConversationSaves();

  /** The resolved, frozen definition. Throws `AgentDefinitionError` or `ToolDefinitionError` if a definition is invalid. */
  static get definition(): AgentDefinition {
    return agentDefinitionOf(this as unknown as AgentClass);
  }

  /** The name of the agent: the one given to `@identifier`, by default the class name in snake_case. */
  static get identifier(): string {
    return agentDefinitionOf(this as unknown as AgentClass).name;
  }

  /** Answers one prompt in a new conversation: `await WeatherAgent.generate("Weather in Paris?")`. */
  static generate<Output>(this: new () => Agent<Output>, prompt: Prompt, options?: GenerateOptions): Promise<AgentResponse<Output>> {
    return new this().generate(prompt, options);
  }

  /** Streams the answer to one prompt in a new conversation. */
  static stream<Output>(this: new () => Agent<Output>, prompt: Prompt, options?: GenerateOptions): AgentStream<Output> {
    return new this().stream(prompt, options);
  }

  /** A copy of the history so far, without the instructions. */
  get messages(): readonly Message[] {
    return this.#runs.conversation.copyFrom(0);
  }

  /**
   * What the first request of the conversation offered to the model, and what changed since; `undefined` before it. `save` stores it. See
   * docs/22-prompt-caching.md.
   */
  get prefix(): ConversationPrefix | undefined {
    return this.#runs.conversation.prefix;
  }

  /** Calls the listener with each assistant and tool message that joins the history. Returns a function that removes the listener. */
  onMessage(listener: MessageListener): () => void {
    return this.#runs.conversation.listen(listener);
  }

  /**
   * Replaces the history with stored messages, to continue their conversation.
   *
   * The messages are copied; a tool call without a result gets one. Throws `AgentBusyError` during a run.
   */
  restore(messages: readonly Message[]): this {
    this.#runs.restore(pairHistory(messages));
    return this;
  }

  /**
   * Loads a stored conversation and continues it. If the store has none with this id, the conversation starts empty. If a run was
   * paused or stopped, it is in `agent.state` again.
   *
   * ```ts
   * const agent = await new SupportAgent().load(store, "user-42");
   * await agent.generate("And the other order?");
   * await agent.save(store, "user-42");
   * ```
   *
   * Throws the store's own errors, and `ConversationStoreError` if the store returns something that isn't a conversation. See
   * docs/03-agents.md.
   */
  async load(store: ConversationStore, id: string): Promise<this> {
    const revision = await this.#saves.load(store, id, ({ messages, state, givenUp, prefix }) =>
      // A store returns what `save` gave it: messages, a state and a prefix of this library.
      this.#runs.restore(
        pairHistory(messages as readonly Message[]),
        state as RunState | undefined,
        givenUp,
        prefix as ConversationPrefix | undefined,
      ),
    );
    setSource(this, { store, id, revision });
    return this;
  }

  /**
   * Stores the history and, if there is a run that can be resumed, its state. During a run it stores the run so far.
   *
   * Saves of one instance are stored in their order. Throws `ConversationConflictError`, and stores nothing, if another instance has saved
   * the conversation since this one loaded or saved it. An instance that loaded nothing only makes a new conversation. See docs/03-agents.md.
   */
  async save(store: ConversationStore, id: string): Promise<void> {
    const { messages, state, prefix } = this;
    const { givenUp } = this.#runs;
    await this.#saves.save(store, id, {
      version: 1,
      messages,
      ...(state !== undefined && { state }),
      ...(givenUp.length > 0 && { givenUp }),
      ...(prefix !== undefined && { prefix }),
    });
  }

  /**
   * The run as frozen JSON, to store and to pass to `resume`; `undefined` if there is no run to resume.
   *
   * It is set while a run is in progress, and after a run was paused, stopped or failed. If you resume a state that was stored
   * during a run, calls without a result run again only if their tool says that this does no harm; a journal knows more.
   */
  get state(): RunState | undefined {
    return this.#runs.state;
  }

  /**
   * Returns the tools of a run: by default those of `@usesTools`. Called once at the start of each run.
   *
   * Override it if the choice needs services of the agent. Tools whose `@access` the context doesn't meet are always left out.
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
   * Changes the settings of one step. If a subclass has this method, it is called before each model call.
   *
   * ```ts
   * override prepareStep({ step }: StepSituation) {
   *   return step > 3 ? { model: "openai/gpt-5", toolChoice: "none" as const } : {};
   * }
   * ```
   *
   * See docs/03-agents.md.
   */
  prepareStep?(situation: StepSituation): StepChanges | undefined | Promise<StepChanges | undefined>;

  /**
   * Runs the agent: calls the model, runs the tools that it requests and sends it their results, until it answers.
   *
   * Returns a response however the run ends: read `response.reason`. After that `generate` can be called again; tool calls that
   * still wait for approval are then given up: the model reads that they didn't run, and `response.givenUp` lists them.
   *
   * Without a prompt it answers the restored history, which must end with a user message or with tool results; otherwise it throws
   * `TypeError`.
   *
   * Throws `AgentBusyError` during another run of this instance, `AgentDefinitionError` and `ToolDefinitionError` for invalid
   * definitions, and interrupts that a tool throws (such as LangGraph's). See docs/03-agents.md.
   */
  generate(prompt?: Prompt, options: GenerateOptions = {}): Promise<AgentResponse<Output>> {
    return this.#runs.generate(prompt, options);
  }

  /**
   * Like `generate`, as a stream: an async iterable of `AgentEvent`, with `textStream` and the final `response`.
   *
   * ```ts
   * for await (const event of agent.stream("Weather in Paris?")) {
   *   if (event.type === "text_delta") process.stdout.write(event.delta);
   * }
   * ```
   *
   * Leaving the loop early aborts the run. See docs/03-agents.md.
   */
  stream(prompt?: Prompt, options: GenerateOptions = {}): AgentStream<Output> {
    return new AgentStream(
      (emit, abortSignal) => this.#runs.generate(prompt, withSignal(options, abortSignal), emit),
      options?.abortSignal,
    );
  }

  /**
   * Continues a run that was paused, stopped or failed, in this process or in another one. The history of this instance is replaced
   * by the run's.
   *
   * ```ts
   * const response = await new RefundAgent().resume(state, { decisions: [approve("call_1")], toolContext });
   * ```
   *
   * Of a run with a journal, pass the id: `resume("run-42", { journal, decisions })`. Calls that had begun when its process ended don't
   * run again unless their tool says that this does no harm, and the model reads that their outcome isn't known.
   *
   * Pass decisions for the calls that wait; calls without one pause the run again. Calls that already have a result don't run
   * again. A run that used up its `maxSteps` or `budget` gets a fresh one unless you pass other limits.
   *
   * Throws `RunStateError` if the state was changed, belongs to another agent or version, or is finished, and `DecisionError` if a
   * decision doesn't fit it. In both cases nothing has run, and the state can be resumed again. See docs/04-confirmation.md.
   */
  resume(state: RunState | string, options: ResumeOptions = {}): Promise<AgentResponse<Output>> {
    return this.#runs.resume(state, options);
  }

  /** Like `resume`, as a stream. */
  resumeStream(state: RunState | string, options: ResumeOptions = {}): AgentStream<Output> {
    return new AgentStream((emit, abortSignal) => this.#runs.resume(state, withSignal(options, abortSignal), emit), options?.abortSignal);
  }

  /**
   * Stops the current run before its next model call or tool call, with the outcome `interrupted`. Work in progress is finished
   * first, and the run can be resumed. Returns false if no run is in progress.
   */
  interrupt(reason: string): boolean {
    return this.#runs.interrupt(reason);
  }

  /** @internal Runs the agent for another agent: a new prompt, or a run that continues. `emit` receives the events of a stream. */
  [runForCaller](work: SubAgentWork, options: GenerateOptions, emit?: (event: AgentEvent) => void): Promise<AgentResponse<Output>> {
    if (typeof work === "string" || isParts(work)) return this.#runs.generate(work, options, emit);
    const { runId: _, ...others } = options;
    if ("recorded" in work) return this.#runs.resume(work.recorded, others, emit);
    return this.#runs.resume(work.state, { ...others, decisions: work.decisions }, emit, true);
  }

  /** @internal Carries on a recorded run, whose journal a runtime has opened. */
  [carryOn](opened: OpenedJournal, options: ResumeOptions, watch: RunWatch): Promise<AgentResponse<Output>> {
    return this.#runs.carryOn(opened, options, watch);
  }

  /** @internal Stops the run, which goes on elsewhere. */
  [handOver](reason: string): void {
    this.#runs.handOver(reason);
  }

  /** @internal Answers what a page posted; `undefined` if the conversation doesn't have the message. */
  [streamChatMessage](posted: ChatMessage, options: GenerateOptions): AgentStream<Output> | undefined {
    return answerChatMessage(this.#runs, this.constructor as AgentClass, posted, options);
  }

  /** @internal Replaces `tools` in classes that have it. */
  [chooseRun]?(...asked: Parameters<ChooseRun>): ReturnType<ChooseRun>;

  /** @internal Wraps each run of instances that have it. */
  declare [aroundRun]?: AroundRun;

  /** @internal Why calls of a stored run can't run as a person decided. */
  [obstacleSearch](state: RunState, options: GenerateOptions): Promise<ObstacleSearch> {
    return this.#runs.searchObstacles(state, options);
  }
}

const isParts = (work: SubAgentWork): work is readonly ContentPart[] => Array.isArray(work);

/** A value that isn't an object of options stays what it is, to be refused: spread, a promise would be an object without any. */
const withSignal = <Options extends GenerateOptions>(options: Options, abortSignal: AbortSignal): Options =>
  isOptions(options) ? { ...options, abortSignal } : options;
