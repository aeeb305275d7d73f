import { Places, type Rate, RateWindows } from "../execution/internal.js";
import type { AcceptedEntry } from "../loop/internal.js";
import { keyIsFull, limitExceeded, limitKeyOf, type ProcessRunLimits, processIsFull, rateIsFull } from "./run-limits.js";

/** The pass of a run that is in this process. */
export interface RunPass {
  /** Waits until the run may go on. Throws the reason if the signal is aborted first. */
  enter(signal: AbortSignal): Promise<void>;
  /** To be called when the run has left the process. */
  end(): void;
}

/** All runs share one line if there is no key. */
const everybody = "";

/** Lets runs go on in this process, as many as its limits allow. */
export class RunGate {
  readonly #limits: ProcessRunLimits;
  readonly #owner: string;
  readonly #ofKeys = new Places();
  readonly #ofProcess = new Places();
  readonly #rates = new RateWindows();
  /** Runs that go on or wait here, by key. */
  readonly #present = new Map<string | undefined, number>();
  /** New runs whose beginning was counted when they were accepted. */
  readonly #counted = new Set<string>();

  constructor(limits: ProcessRunLimits, owner: string) {
    this.#limits = limits;
    this.#owner = owner;
  }

  keyOf(accepted: AcceptedEntry): string | undefined {
    return limitKeyOf(this.#limits, accepted, this.#owner);
  }

  /** Admits a new run; its pass is to be ended once it has another one, or wasn't recorded. Throws `RuntimeError` if it would have to wait and mustn't. */
  async admit(accepted: AcceptedEntry): Promise<RunPass> {
    const { rate, whenExceeded } = this.#limits;
    if (whenExceeded !== "reject") return this.arrive(accepted);
    // The caller may have read the end of a run that is about to leave.
    if (this.#excessOf(accepted) !== undefined) await new Promise((resolve) => setImmediate(resolve));
    const excess = this.#excessOf(accepted);
    if (excess !== undefined) throw limitExceeded(accepted.runId, excess);
    if (rate !== undefined) {
      void this.#rates.begin(everybody, rateOf(rate), undefined);
      this.#counted.add(accepted.runId);
    }
    return this.arrive(accepted);
  }

  /** Why a new run would have to wait; `undefined` if it wouldn't. */
  #excessOf(accepted: AcceptedEntry): string | undefined {
    const { perKey, concurrency, rate } = this.#limits;
    const key = this.keyOf(accepted);
    if (perKey !== undefined && key !== undefined && this.#countOf(key) >= perKey.concurrency) return keyIsFull(key, perKey.concurrency);
    if (concurrency !== undefined && this.#countOf(undefined) >= concurrency) return processIsFull(concurrency);
    return rate !== undefined && this.#rates.waitOf(everybody) > 0 ? rateIsFull(rate) : undefined;
  }

  /** The pass of a run that this process carries on. Throws `TypeError` if its key is wrong. */
  arrive(accepted: AcceptedEntry): RunPass {
    const key = this.keyOf(accepted);
    this.#count(key, 1);
    const taken: (() => void)[] = [];
    return {
      enter: async (signal) => {
        const { perKey, concurrency, rate } = this.#limits;
        if (perKey !== undefined && key !== undefined) {
          await entered(this.#ofKeys.take(key, perKey.concurrency, signal), signal);
          taken.push(() => this.#ofKeys.leave(key));
        }
        if (concurrency !== undefined) {
          await entered(this.#ofProcess.take(everybody, concurrency, signal), signal);
          taken.push(() => this.#ofProcess.leave(everybody));
        }
        if (rate === undefined || this.#counted.delete(accepted.runId)) return;
        await entered(this.#rates.begin(everybody, rateOf(rate), signal), signal);
      },
      end: () => {
        for (const leave of taken) leave();
        this.#count(key, -1);
      },
    };
  }

  #countOf(key: string | undefined): number {
    return this.#present.get(key) ?? 0;
  }

  /** Counts a run for its key, and for all. */
  #count(key: string | undefined, change: 1 | -1): void {
    for (const one of new Set([key, undefined])) {
      const count = this.#countOf(one) + change;
      if (count === 0) this.#present.delete(one);
      else this.#present.set(one, count);
    }
  }
}

const rateOf = ({ runs, period }: NonNullable<ProcessRunLimits["rate"]>): Rate => ({ calls: runs, period });

async function entered(admitted: boolean | Promise<boolean>, signal: AbortSignal): Promise<void> {
  if (!(await admitted)) throw signal.reason;
}
