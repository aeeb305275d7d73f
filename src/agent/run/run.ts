import type { ModelError, TokenUsage } from "../../models/index.js";
import type { Confirmation, Decision, Question } from "../../confirmation/index.js";
import type { DecisionObstacle } from "./decision-obstacle.js";
import {
  advance,
  openConfirmations,
  openQuestions,
  type LoopEffect,
  type LoopEvent,
  type LoopState,
  type LoopStep,
  type RunOutcome,
  type RunState,
} from "../../loop/index.js";
import { type AgentStep, describeStep } from "../agent-response.js";
import { callAskedAbout, messagesIn, sealState, startableCalls } from "../../loop/internal.js";
import { emitRefusals } from "./call-results.js";
import { ModelSteps } from "./model-steps.js";
import { announceRun } from "./announce-run.js";
import type { RunParts } from "./run-parts.js";
import { handOver } from "./run-hooks.js";
import { SubRunLeft } from "../sub-agents/sub-run-left.js";
import { RunStops } from "./run-stops.js";
import { ToolCalls } from "./tool-calls.js";

/** What the loop waits for, or that it has ended. */
type Work = Extract<LoopEffect, { readonly type: "call_model" | "execute_calls" | "finish" }>;

/** Carries out the loop's effects and passes on their events, until the loop finishes the run. */
export class Run {
  /** The steps closed so far. */
  readonly steps: AgentStep[] = [];
  /** Why the model failed, if the outcome is `model_error`. */
  modelError: ModelError | undefined;
  /** Of the run that waited before: the conversation went on without it. */
  readonly givenUp: readonly Confirmation[];
  /** The decisions that it goes on with. */
  decisions: readonly Decision[] = [];
  readonly stops: RunStops;
  readonly #parts: RunParts;
  readonly #model: ModelSteps;
  #state: LoopState;
  #work: Work | undefined;
  #toolCalls: ToolCalls | undefined;
  /** The step that an abort ended with calls that waited. */
  #stoppedStep: LoopStep | null = null;

  constructor(parts: RunParts, state: LoopState, givenUp: readonly Confirmation[] = []) {
    this.givenUp = givenUp;
    this.#parts = parts;
    this.#state = state;
    this.#model = new ModelSteps(parts, this);
    this.stops = new RunStops(parts.scope.abortSignal);
  }

  get runId(): string {
    return this.#parts.scope.runId;
  }

  get isJournaled(): boolean {
    return this.#parts.journal !== undefined;
  }

  get state(): LoopState {
    return this.#state;
  }

  get usage(): TokenUsage {
    return this.#state.usage;
  }

  /** Those that wait for a decision. */
  get confirmations(): readonly Confirmation[] {
    return openConfirmations({ loop: this.#state });
  }

  /** Those that wait for an answer. */
  get questions(): readonly Question[] {
    return openQuestions({ loop: this.#state });
  }

  /** What a stream has sent of an answer that never came to its end. */
  get partialText(): string | undefined {
    return this.#model.partialText;
  }

  /** The structured output, if the agent has one and the answer fits. */
  get output(): unknown {
    return this.#model.output;
  }

  /** The step whose calls may wait for a person: in this state, or in an earlier one that somebody may have stored. */
  get waitingStep(): LoopStep | null {
    return this.#state.current ?? this.#stoppedStep;
  }

  /** The number of the step, from 1. */
  get step(): number {
    return this.#state.step;
  }

  get interrupted(): boolean {
    return this.stops.interrupted;
  }

  /** Stops the run, and those of its sub-agents, which go on in another process. */
  handOver(reason: string): void {
    this.stops.handOver();
    const { calling } = this.#parts;
    if (calling !== undefined) calling.isHandedOver = true;
    for (const agent of calling?.running ?? []) agent[handOver](reason);
    this.interrupt(reason);
  }

  /** Waits for runs of sub-agents that an abort has left behind: what they record belongs to this run. */
  async subRunsEnded(): Promise<void> {
    await Promise.allSettled(this.#parts.calling?.subRuns ?? []);
  }

  /** Stops the run before its next model call or tool call. */
  interrupt(reason: string): void {
    this.stops.interrupt(reason);
  }

  /** The model failed for good: the loop ends the run by it. */
  failedBy(error: ModelError): void {
    this.modelError = error;
    this.stops.byModel(error);
    this.#parts.emit?.({ type: "error", error });
  }

  /** Made on use: many runs call no tool. */
  get #calls(): ToolCalls {
    this.#toolCalls ??= new ToolCalls(this.#parts, this);
    return this.#toolCalls;
  }

  /** Ends the run if it was aborted before it could begin: its open calls wait on, and nothing of it was done. */
  endUnbegun(): void {
    const stopping = this.stops.nextBetweenSteps();
    if (stopping !== undefined) this.take(stopping);
  }

  /**
   * How the run ended. Throws the error by which a tool interrupted the run, which keeps its open calls, and mistakes in code (a model that
   * throws anything but `ModelError`). In every case the run can continue from its state.
   */
  toOutcome(): Promise<RunOutcome> {
    const { outcome } = this.#state;
    if (outcome !== null && this.#work === undefined) return Promise.resolve(outcome);
    return this.#parts.listeners.length === 0 ? this.#carryOut() : announceRun(this.#parts, this, () => this.#carryOut());
  }

  /** The state as plain, frozen JSON: all that is needed to go on elsewhere. */
  snapshot(): RunState {
    const { agent, conversation, scope, resumptions, stateSecret, journal, replaying } = this.#parts;
    const { prefix } = conversation;
    return sealState(
      {
        runId: scope.runId,
        agent,
        loop: this.stops.publicLoop(this.#state),
        messages: conversation.copyFrom(0),
        ledger: scope.ledger.toJSON(),
        resumptions,
        ...(scope.tags !== undefined && { tags: scope.tags }),
        ...(prefix !== undefined && { prefix }),
        ...(journal !== undefined && { journaled: true as const }),
        ...(replaying !== undefined && { replay: true as const }),
      },
      stateSecret,
    );
  }

  /** Why a call can't run as a person decided; `undefined` if it can, or shall not. */
  async obstacleTo(decision: Decision): Promise<DecisionObstacle | undefined> {
    if (decision.decision === "deny") return undefined;
    const asked = callAskedAbout(this.#state, decision.callId);
    return asked && this.#calls.decisions.obstacles.obstacleTo(asked.call, asked.gate.subRun, decision);
  }

  /** Passes an event to the loop, and keeps the state and the work that the loop answers with. */
  take(event: LoopEvent): void {
    const { step, usage, current } = this.#state;
    const { state, effects } = advance(this.#state, event);
    if (this.#parts.journal !== undefined && state !== this.#state && this.stops.isRecorded(event))
      this.#parts.journal.record(this.stops.publicEvent(event), state, this.#parts.scope.ledger);
    this.#state = state;
    if (event.type === "stopped") this.#stoppedStep = current;
    if (state.usage !== usage && (event.type === "model_answered" || event.type === "answer_blocked")) {
      this.#parts.emit?.({ type: "usage", step, usage: event.response.usage, total: state.usage });
    }
    if (this.#parts.emit !== undefined && event.type !== "call_finished") {
      const recorded = effects.find((effect) => effect.type === "record_step");
      emitRefusals(this.#parts, step, current, recorded?.step ?? state.current);
    }
    if (effects.length === 0) return;
    // All at once: a listener of one message may store the state, whose history must be complete.
    this.#parts.conversation.append(messagesIn(effects));
    for (const effect of effects) {
      if (effect.type === "record_step") this.#record(effect.step, step);
      else if (effect.type !== "append") this.#work = effect;
    }
  }

  async #carryOut(): Promise<RunOutcome> {
    const { journal } = this.#parts;
    this.take({ type: "started" });
    // The prompt, or the decisions of a person, can't get lost from here on.
    if (journal !== undefined) await journal.written();
    for (;;) {
      const work = this.#work;
      this.#work = undefined;
      switch (work?.type) {
        case "call_model":
          journal?.writeSoon();
          this.take(this.stops.nextBetweenSteps() ?? (await this.#model.next()));
          break;
        case "execute_calls": {
          const stopping = this.stops.next();
          if (stopping !== undefined) this.take(stopping);
          else this.#settleCalls(await this.#execute(work));
          break;
        }
        case "finish":
          if (work.outcome.reason === "aborted")
            this.#parts.emit?.({ type: "aborted", detail: this.stops.publicDetail ?? work.outcome.detail });
          return work.outcome;
        default:
          throw new Error("The loop asked for nothing before its end: a mistake in Toolwright.");
      }
    }
  }

  /** Gives what the calls have thrown. */
  #execute({ calls, decided }: Extract<Work, { readonly type: "execute_calls" }>): Promise<readonly unknown[]> {
    const { gates, allowedTools } = this.#state.current ?? {};
    this.#calls.narrow(allowedTools);
    return decided ? this.#calls.executeDecided(calls, gates) : this.#calls.execute(calls, gates);
  }

  /** The calls have ended, or wait for a person: the loop goes on. */
  #settleCalls(thrown: readonly unknown[]): void {
    if (this.#work !== undefined) return;
    const { abortSignal } = this.#parts.scope;
    // What waited for the application's code when the run was aborted throws the signal's reason.
    const aborted = abortSignal?.aborted === true ? thrown.filter((error) => error !== abortSignal.reason) : thrown;
    const errors = aborted.filter((error) => !(error instanceof SubRunLeft));
    if (errors.length > 0) {
      this.take(this.stops.byError(errors[0]));
      throw errors[0];
    }
    if (abortSignal?.aborted === true) this.take(this.stops.bySignal(abortSignal));
    else this.take((this.#mayGoOn() ? this.stops.next() : undefined) ?? { type: "calls_settled" });
  }

  /** Whether there are calls that could run now, without a decision. */
  #mayGoOn(): boolean {
    const { current } = this.#state;
    return current !== null && startableCalls(current).length > 0;
  }

  #record(step: LoopStep, number: number): void {
    const described = describeStep(step, this.#parts.tools.names);
    this.steps.push(described);
    this.#parts.emit?.({ type: "step_done", step: number, result: described });
  }
}
