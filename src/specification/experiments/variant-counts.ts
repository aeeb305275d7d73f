import type { ToolCallRecord } from "../../tool/index.js";
import { LatencyHistogram } from "./latency-histogram.js";

/** Calls of one variant of an experiment. */
export interface VariantReport {
  /** Attempts at calls, rejected ones included. */
  readonly calls: number;
  /** Failed attempts, by `errorType`. */
  readonly errors: Readonly<Record<string, number>>;
  /** Milliseconds of the attempts that ran, accurate to one percent; absent if none ran. */
  readonly latency?: { readonly p50: number; readonly p95: number; readonly p99: number };
}

/** Counts the calls of one variant. */
export class VariantCounts {
  #calls = 0;
  readonly #errors = new Map<string, number>();
  readonly #latency = new LatencyHistogram();

  add({ result, duration }: ToolCallRecord): void {
    // It has neither succeeded nor failed yet: the call runs again when somebody has decided.
    if (result.errorType === "interrupted") return;
    this.#calls += 1;
    if (result.errorType !== undefined) this.#errors.set(result.errorType, (this.#errors.get(result.errorType) ?? 0) + 1);
    // A call that was refused before the tool began has taken none of its time.
    if (duration > 0) this.#latency.add(duration);
  }

  report(): VariantReport {
    const counts = { calls: this.#calls, errors: Object.fromEntries(this.#errors) };
    if (this.#latency.count === 0) return counts;
    const [p50, p95, p99] = ([0.5, 0.95, 0.99] as const).map((share) => this.#latency.percentile(share)) as [number, number, number];
    return { ...counts, latency: { p50, p95, p99 } };
  }
}
