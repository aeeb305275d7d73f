import type { LoopState } from "../loop/index.js";
import { openCalls, type RunEntry } from "../loop/internal.js";

/** Since when the model and the calls of a run are at work, by the times of its entries. */
export class WorkTimes {
  #model: number | undefined;
  readonly #calls = new Map<string, number | undefined>();

  /** When the model was asked for the answer that comes next: milliseconds since 1970; `undefined` in a record without times. */
  get model(): number | undefined {
    return this.#model;
  }

  /** When a call began. */
  call(id: string): number | undefined {
    return this.#calls.get(id);
  }

  take({ kind, at, ...entry }: RunEntry, before: LoopState, after: LoopState): void {
    const asksAgain = after.status === "calling_model" && (before.status !== "calling_model" || before.step !== after.step);
    if (asksAgain || kind === "resumed") this.#model = at;
    // A call that only reads begins without an entry of its own: at once, or when the run goes on with a decision.
    const mayBegin = kind === "model_answered" || kind === "resumed" || kind === "call_decided";
    if (mayBegin && after.current !== null) for (const { id } of openCalls(after.current)) this.#calls.set(id, at);
    if (kind === "call_begun" || kind === "call_gated") this.#calls.set((entry as { readonly id: string }).id, at);
    if (after.current === null) this.#calls.clear();
  }
}
