import { modelText, type RunScope, type ToolExecutor } from "../execution/index.js";
import { type ChatModel, type ChatRequest, type ChatResponse, ModelError, type ModelOptions, type ToolCall } from "../models/index.js";
import { orAborted, type ToolResult } from "../tool/index.js";
import type { AttachedTools } from "./attached-tools.js";
import { checkResponse } from "./check-response.js";
import type { Conversation } from "./conversation.js";
import { inParallel } from "./in-parallel.js";
import { type AgentListener, shield } from "./listener.js";
import {
  advance,
  type CallResult,
  type LoopEffect,
  type LoopEvent,
  type LoopState,
  type LoopStep,
  type OutcomeOf,
  type RunOutcome,
} from "./loop/index.js";
import type { AgentStep } from "./response.js";
import { freezeDeep, type RunState } from "./run-state.js";

/** What a run works with. */
export interface RunParts {
  readonly agent: string;
  readonly conversation: Conversation;
  readonly model: ChatModel;
  readonly modelOptions: ModelOptions | undefined;
  readonly tools: AttachedTools;
  readonly executor: ToolExecutor;
  readonly scope: RunScope;
  readonly listeners: readonly AgentListener[];
  /** The most tool calls of a step that run at the same time. */
  readonly concurrency: number;
}

type FinalOutcome = Exclude<RunOutcome, OutcomeOf<"interrupted">>;

/** What the loop waits for, or that it has ended. */
type Work = Extract<LoopEffect, { readonly type: "call_model" | "execute_calls" | "finish" }>;

/** Carries out what the loop asks for, and tells it what happened, until it says that the run is finished. */
export class Run {
  /** The steps closed so far. */
  readonly steps: AgentStep[] = [];
  /** Why the model failed, where the outcome is `model_error`. */
  modelError: ModelError | undefined;
  readonly #parts: RunParts;
  readonly #request: ChatRequest;
  #state: LoopState;
  /** What a tool call threw; it is thrown on when the history is in order. */
  #thrown: unknown;

  constructor(parts: RunParts, state: LoopState) {
    const { conversation, model, tools, modelOptions, scope } = parts;
    this.#parts = parts;
    this.#state = state;
    this.#request = {
      messages: conversation.forModel,
      tools: tools.offeredTo(model),
      ...(modelOptions !== undefined && { options: modelOptions }),
      ...(scope.abortSignal !== undefined && { abortSignal: scope.abortSignal }),
    };
  }

  get runId(): string {
    return this.#parts.scope.runId;
  }

  get state(): LoopState {
    return this.#state;
  }

  /**
   * How the run ended. Throws what a tool threw to interrupt the run, and mistakes in code (a model that throws anything but
   * `ModelError`, a tool that can't be constructed); the history is paired then too.
   */
  toOutcome(): Promise<FinalOutcome> {
    return this.#parts.listeners.length === 0 ? this.#carryOut() : this.#carryOutWatched();
  }

  /** The state as plain, frozen JSON: all that is needed to go on elsewhere. */
  snapshot(): RunState {
    const { agent, conversation, scope } = this.#parts;
    const state: RunState = {
      version: 1,
      runId: scope.runId,
      agent,
      loop: this.#state,
      messages: conversation.copyFrom(0),
      ledger: scope.ledger.toJSON(),
    };
    return freezeDeep(JSON.parse(JSON.stringify(state)) as RunState);
  }

  async #carryOut(): Promise<FinalOutcome> {
    let next = this.#take({ type: "started" });
    for (;;) {
      switch (next?.type) {
        case "call_model":
          next = this.#take(await this.#callModel());
          break;
        case "execute_calls":
          next = await this.#executeCalls(next.calls);
          break;
        case "finish":
          if (next.outcome.reason === "interrupted") throw this.#thrown;
          return next.outcome;
        default:
          throw new Error("The loop asked for nothing before its end: a mistake in Toolwright.");
      }
    }
  }

  async #carryOutWatched(): Promise<FinalOutcome> {
    const { agent, listeners } = this.#parts;
    const event = { runId: this.runId, agent };
    for (const listener of listeners) shield(() => listener.runStarted?.(event));
    try {
      return await this.#carryOut();
    } finally {
      const { outcome, usage, step: steps } = this.#state;
      for (const listener of listeners)
        shield(() => listener.runFinished?.({ ...event, ...(outcome !== null && { outcome }), usage, steps }));
    }
  }

  /** Tells the loop what happened, and keeps what it says; gives the work that it asks for, if any. */
  #take(event: LoopEvent): Work | undefined {
    const { state, effects } = advance(this.#state, event);
    this.#state = state;
    let work: Work | undefined;
    for (const effect of effects) {
      if (effect.type === "append") for (const message of effect.messages) this.#parts.conversation.append(message);
      else if (effect.type === "record_step") this.steps.push(this.#describe(effect.step));
      else work = effect;
    }
    return work;
  }

  async #callModel(): Promise<LoopEvent> {
    const { scope, listeners } = this.#parts;
    if (scope.abortSignal?.aborted) return aborted(scope.abortSignal);
    try {
      const response = await (listeners.length === 0 ? this.#askModel() : this.#askModelWatched());
      return { type: "model_answered", response: this.#adopt(response) };
    } catch (error) {
      if (scope.abortSignal?.aborted) return aborted(scope.abortSignal);
      if (!(error instanceof ModelError)) throw error;
      this.modelError = error;
      return { type: "model_failed", detail: error.message };
    }
  }

  #askModel(): Promise<ChatResponse> {
    const { model, scope } = this.#parts;
    const answer = model.generate(this.#request);
    return scope.abortSignal === undefined ? answer : orAborted(answer, scope.abortSignal);
  }

  async #askModelWatched(): Promise<ChatResponse> {
    const { agent, model, scope, listeners } = this.#parts;
    const event = { runId: scope.runId, agent, step: this.#state.step, model: model.id };
    for (const listener of listeners) shield(() => listener.modelStarted?.(event));
    const start = performance.now();
    const finished = (result: { response: ChatResponse } | { error: unknown }): void => {
      const duration = performance.now() - start;
      for (const listener of listeners) shield(() => listener.modelFinished?.({ ...event, duration, ...result }));
    };
    try {
      const response = await this.#askModel();
      finished({ response });
      return response;
    } catch (error) {
      finished({ error });
      throw error;
    }
  }

  /** What the model wrote, fit for the history: ids are unique, names are wire names. */
  #adopt(response: ChatResponse): ChatResponse {
    checkResponse(response, this.#parts.model.id);
    if (response.toolCalls.length === 0) return response;
    const { conversation, tools } = this.#parts;
    const toolCalls = conversation.claimIds(response.toolCalls).map((call) => {
      const name = tools.names.toWire(call.name);
      return name === call.name ? call : { ...call, name };
    });
    return { ...response, toolCalls };
  }

  async #executeCalls(calls: readonly ToolCall[]): Promise<Work | undefined> {
    const thrown: unknown[] = [];
    let next: Work | undefined;
    await inParallel(calls, this.#parts.concurrency, async (call) => {
      try {
        next = this.#take({ type: "call_finished", id: call.id, result: toCallResult(await this.#execute(call)) });
      } catch (error) {
        thrown.push(error);
      }
    });
    if (thrown.length === 0) return next;
    this.#thrown = thrown[0];
    return this.#take({
      type: "stopped",
      reason: "interrupted",
      detail: thrown[0] instanceof Error ? thrown[0].message : String(thrown[0]),
    });
  }

  #execute({ id, name, arguments: text }: ToolCall): Promise<ToolResult> {
    const { executor, scope, tools } = this.#parts;
    return executor.call({ id, name: tools.names.toTool(name), arguments: text }, scope);
  }

  #describe({ text, finishReason, usage, calls, results }: LoopStep): AgentStep {
    const { names } = this.#parts.tools;
    const toolCalls = calls.map((call, index) => {
      const { content = "", data, errorType } = results[index] ?? {};
      const made = { id: call.id, name: names.toTool(call.name), arguments: call.arguments, content };
      return errorType === undefined ? { ...made, data } : { ...made, errorType };
    });
    return { text, finishReason, usage, toolCalls };
  }
}

const aborted = (signal: AbortSignal): LoopEvent => ({ type: "stopped", reason: "aborted", detail: String(signal.reason) });

const toCallResult = (result: ToolResult): CallResult =>
  result.error === undefined
    ? { content: modelText(result), data: result.data }
    : { content: modelText(result), errorType: result.errorType };
