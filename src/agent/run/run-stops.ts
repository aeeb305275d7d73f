import type { LoopEvent, LoopState, RunOutcome } from "../../loop/index.js";
import type { ModelError } from "../../models/index.js";
import { outsideText } from "../../redaction/internal.js";
import { withPublicDetail } from "../public-outcome.js";
import { abortedBy, interruptedBy, type RunEnding } from "./run-ending.js";

type StoppedEvent = Extract<LoopEvent, { readonly type: "stopped" }>;
type PausedEvent = Extract<LoopEvent, { readonly type: "paused" }>;

/** What ends a run early: its signal, an interruption, or an error. Clients don't read an error's own words, which may name hosts and tables. */
export class RunStops {
  readonly #signal: AbortSignal | undefined;
  #interruption: string | undefined;
  #publicDetail: string | undefined;
  #isHandedOver = false;
  /** The end of a run that goes on elsewhere. */
  #left: LoopEvent | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** The detail for clients, if it differs from the outcome's. */
  get publicDetail(): string | undefined {
    return this.#publicDetail;
  }

  get interrupted(): boolean {
    return this.#interruption !== undefined;
  }

  interrupt(reason: string): void {
    this.#interruption = reason;
  }

  /** The run goes on elsewhere: its end here isn't part of its record. */
  handOver(): void {
    this.#isHandedOver = true;
  }

  /** Whether an event belongs to the record. After the abort of a run that goes on elsewhere, tools may have ended early. */
  isRecorded(event: LoopEvent): boolean {
    return !this.#isHandedOver || (event !== this.#left && this.#signal?.aborted !== true);
  }

  /** The end of the run by its signal. */
  bySignal(signal: AbortSignal): StoppedEvent {
    return { type: "stopped", outcome: this.#outcomeOf(abortedBy(signal)) };
  }

  /** The pause of a run that a tool interrupted, or that an error of the application interrupted. */
  byError(error: unknown): PausedEvent {
    return { type: "paused", outcome: this.#outcomeOf(interruptedBy(error)) };
  }

  /** The model failed for good: the loop ends the run. */
  byModel(error: ModelError): void {
    this.#publicDetail = error[outsideText];
  }

  /** The end of the run, if it was aborted or interrupted meanwhile. */
  next(): StoppedEvent | PausedEvent | undefined {
    if (this.#signal?.aborted === true) return this.bySignal(this.#signal);
    if (this.#interruption === undefined) return undefined;
    return this.#pausedBy({ reason: "interrupted", detail: this.#interruption });
  }

  /** The same before a model call: nothing is open, and the call that wasn't made doesn't count as a step. */
  nextBetweenSteps(): PausedEvent | undefined {
    const stopping = this.next();
    return stopping && this.#pausedBy(stopping.outcome);
  }

  #pausedBy(outcome: RunOutcome): PausedEvent {
    const event: PausedEvent = { type: "paused", outcome };
    this.#left = event;
    return event;
  }

  /** The event as clients may see it. */
  publicEvent(event: LoopEvent): LoopEvent {
    const detail = this.#publicDetail;
    if (detail === undefined) return event;
    if (event.type === "model_failed") return { ...event, detail };
    return event.type === "paused" || event.type === "stopped" ? { ...event, outcome: withPublicDetail(event.outcome, detail) } : event;
  }

  /** The loop for a state, which may go to a browser. */
  publicLoop(state: LoopState): LoopState {
    const { outcome } = state;
    return outcome === null ? state : { ...state, outcome: withPublicDetail(outcome, this.#publicDetail) };
  }

  #outcomeOf({ outcome, publicDetail }: RunEnding): RunOutcome {
    this.#publicDetail = publicDetail;
    return outcome;
  }
}
