import type { Attributes, Context, Link, Span, SpanContext, SpanKind, Tracer } from "@opentelemetry/api";
import { noUsage, type TokenUsage } from "../../models/index.js";
import type { loadApi } from "./load-api.js";

/** A span that hasn't ended, and the context in which its children begin. */
export interface OpenSpan {
  readonly span: Span;
  readonly context: Context;
}

/** A run that hasn't ended. */
export interface OpenRun extends OpenSpan {
  /** By `performance.now()`. */
  readonly startedAt: number;
  usage: TokenUsage;
  /** The model call under way: a run makes one at a time. */
  chat: OpenSpan | undefined;
  /** By call id. */
  readonly calls: Map<string, OpenSpan>;
}

/** So many ended runs are remembered, for the links of those that are resumed in the same process. */
const rememberedRuns = 1_000;

/** The spans under way, by run and call: that is how a span finds its parent. */
export class OpenSpans {
  readonly #api: ReturnType<typeof loadApi>;
  readonly #tracer: () => Tracer;
  readonly #runs = new Map<string, OpenRun>();
  /** Calls that were made without an agent. */
  readonly #loose = new Map<string, OpenSpan>();
  readonly #ended = new Map<string, SpanContext>();

  constructor(api: ReturnType<typeof loadApi>, tracer: () => Tracer) {
    this.#api = api;
    this.#tracer = tracer;
  }

  run(runId: string): OpenRun | undefined {
    return this.#runs.get(runId);
  }

  /** A sub-agent's run begins inside of its tool call, which is active then. */
  startRun(runId: string, name: string, attributes: Attributes): void {
    const earlier = this.#ended.get(runId);
    const links = earlier === undefined ? [] : [{ context: earlier }];
    const opened = this.start(name, this.#api.SpanKind.INTERNAL, attributes, this.#api.context.active(), { links });
    this.#runs.set(runId, { ...opened, startedAt: performance.now(), usage: noUsage, chat: undefined, calls: new Map() });
  }

  /** What didn't end by itself ends with the run. */
  endRun(runId: string): void {
    const run = this.#runs.get(runId);
    if (run === undefined) return;
    this.#runs.delete(runId);
    run.chat?.span.end();
    for (const { span } of run.calls.values()) span.end();
    run.span.end();
    this.#ended.delete(runId);
    this.#ended.set(runId, run.span.spanContext());
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > rememberedRuns && oldest !== undefined) this.#ended.delete(oldest);
  }

  call(runId: string, callId: string): OpenSpan | undefined {
    return this.#runs.get(runId)?.calls.get(callId) ?? this.#loose.get(`${runId} ${callId}`);
  }

  startCall(runId: string, callId: string, name: string, attributes: Attributes, from: CallOrigin): OpenSpan {
    const run = this.#runs.get(runId);
    const parent = (from.parentCallId === undefined ? undefined : this.call(runId, from.parentCallId)) ?? run;
    const { startTime } = from;
    const kind = this.#api.SpanKind.INTERNAL;
    const opened = this.start(name, kind, attributes, parent?.context ?? this.#api.context.active(), { startTime });
    if (run === undefined) this.#loose.set(`${runId} ${callId}`, opened);
    else run.calls.set(callId, opened);
    return opened;
  }

  endCall(runId: string, callId: string): void {
    this.call(runId, callId)?.span.end();
    this.#runs.get(runId)?.calls.delete(callId);
    this.#loose.delete(`${runId} ${callId}`);
  }

  start(name: string, kind: SpanKind, attributes: Attributes, parent: Context, more: StartOptions = {}): OpenSpan {
    const { links = [], startTime } = more;
    const options = { kind, attributes, links, ...(startTime !== undefined && { startTime }) };
    const span = this.#tracer().startSpan(name, options, parent);
    return { span, context: this.#api.trace.setSpan(parent, span) };
  }
}

interface StartOptions {
  readonly links?: Link[];
  readonly startTime?: Date | undefined;
}

export interface CallOrigin {
  readonly parentCallId: string | undefined;
  /** Set if the call began earlier than now. */
  readonly startTime?: Date;
}
