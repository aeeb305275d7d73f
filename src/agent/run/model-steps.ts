import type { LoopEvent, LoopState, OutputFaults } from "../../loop/index.js";
import type { OfferEntry } from "../../loop/internal.js";
import { type ChatResponse, ModelError } from "../../models/index.js";
import { untilAborted } from "../../tool/internal.js";
import { readAnswer, requestAnswer } from "./model-calls.js";
import { withFoundNames } from "./recorded-run.js";
import { blockedOutcome } from "./run-ending.js";
import type { RunParts } from "./run-parts.js";
import type { RunStops } from "./run-stops.js";
import { StepDeltas } from "./step-deltas.js";
import { StepRequests } from "./step-requests.js";

/** The run that the model is asked for. */
export interface ModelHost {
  readonly state: LoopState;
  readonly stops: Pick<RunStops, "bySignal">;
  /** The model failed for good: the run ends. */
  failedBy(error: ModelError): void;
}

/** Asks the model for each step of a run, checks its answers, and makes them events of the loop. */
export class ModelSteps {
  /** What a stream has sent of an answer that never came to its end. */
  partialText: string | undefined;
  /** The structured output, if the agent has one and the answer fits. */
  output: unknown;
  readonly #parts: RunParts;
  readonly #host: ModelHost;
  readonly #requests: StepRequests;
  /** What requests have offered that weren't answered: it is recorded with the next answer. */
  #unrecorded: readonly OfferEntry[] = [];

  constructor(parts: RunParts, host: ModelHost) {
    this.#parts = parts;
    this.#host = host;
    this.#requests = new StepRequests(parts);
  }

  /** One model call. Throws mistakes in code: anything but a `ModelError`, or one of the application's settings. */
  async next(): Promise<LoopEvent> {
    const { emit, scope, checkAnswer } = this.#parts;
    const { state } = this.#host;
    const deltas = emit && new StepDeltas(this.#parts, emit, state.step);
    try {
      const next = this.#requests.next(state);
      const { model, request, allowedTools, offered } = next instanceof Promise ? await next : next;
      if (offered !== undefined) this.#unrecorded = [...this.#unrecorded, offered];
      // If a guardrail checks the answer, nothing is streamed before it has passed.
      const asked = deltas === undefined || checkAnswer !== undefined ? request : Object.assign({ onDelta: deltas.onDelta }, request);
      let response = readAnswer(this.#parts, model, await requestAnswer(this.#parts, model, asked, state.step), deltas);
      this.#recordOffers();
      if (checkAnswer !== undefined && response.text !== "") {
        const checked = await untilAborted(checkAnswer(response.text), scope.abortSignal);
        if (checked.blocked !== undefined) return { type: "answer_blocked", response, outcome: blockedOutcome(checked) };
        if (checked.text !== response.text) response = { ...response, text: checked.text };
      }
      this.#parts.conversation.learn(response.usage.inputTokens);
      deltas?.finish(response);
      const reading = this.#readOutput(response);
      const faults = reading && (await reading);
      if (faults === undefined && allowedTools === undefined) return { type: "model_answered", response };
      return { type: "model_answered", response, ...(faults && { faults }), ...(allowedTools && { allowedTools }) };
    } catch (error) {
      const said = this.#partialAnswer(deltas);
      if (scope.abortSignal?.aborted === true) return { ...this.#host.stops.bySignal(scope.abortSignal), ...said };
      if (!(error instanceof ModelError) || error.misconfigured) throw error;
      this.#host.failedBy(error);
      return { type: "model_failed", detail: error.message, ...said };
    }
  }

  #recordOffers(): void {
    if (this.#unrecorded.length === 0) return;
    for (const entry of this.#unrecorded) this.#parts.journal?.add(withFoundNames(entry, this.#parts.tools));
    this.#unrecorded = [];
  }

  #partialAnswer(deltas: StepDeltas | undefined): { readonly text?: string } {
    deltas?.end();
    const text = deltas?.text ?? "";
    if (text === "") return {};
    this.partialText = text;
    return { text };
  }

  /** `undefined` if the answer isn't the output: the agent has none, or the answer isn't the last one or was cut off. */
  #readOutput({ text, toolCalls, finishReason }: ChatResponse): Promise<OutputFaults | undefined> | undefined {
    const { output } = this.#parts;
    const isFinal = toolCalls.length === 0 && finishReason !== "length" && finishReason !== "content_filter";
    return output === undefined || !isFinal ? undefined : this.#readFinal(output, text);
  }

  async #readFinal(output: NonNullable<RunParts["output"]>, text: string): Promise<OutputFaults | undefined> {
    const reading = await untilAborted(output.read(text), this.#parts.scope.abortSignal);
    if (!reading.ok) return { detail: reading.error, repairPrompt: output.repairPrompt(reading.error) };
    this.output = reading.value;
    return undefined;
  }
}
