import type { Attributes, Meter, Span, Tracer } from "@opentelemetry/api";
import type { AgentListener } from "../../agent/index.js";
import { addUsage } from "../../models/index.js";
import { redactText } from "../../redaction/index.js";
import type { ToolAttemptEvent, ToolCallRecord } from "../../tool/index.js";
import { answerParts, toConventionMessage } from "../model-content.js";
import { modelFailure } from "../model-failure.js";
import { runFailure } from "../run-failure.js";
import { modelAttributes, tagAttributes } from "./attributes.js";
import { loadApi } from "./load-api.js";
import { createMetrics, type Metrics } from "./metrics.js";
import { OpenSpans } from "./open-spans.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";

/** Options of `openTelemetry`. The types of OpenTelemetry are declared structurally, so that they don't require its package. */
export interface OpenTelemetryOptions {
  /** Default: `toolwright` of the global tracer provider. */
  readonly tracer?: { startSpan(name: string): object };
  /** Default: `toolwright` of the global meter provider. */
  readonly meter?: { createHistogram(name: string): object; createCounter(name: string): object };
  /**
   * Whether spans contain prompts, answers, arguments, results and error messages, redacted. Default: false, because they often
   * contain personal data.
   */
  readonly captureContent?: boolean;
}

const optionNames: OptionNames<OpenTelemetryOptions> = { tracer: true, meter: true, captureContent: true };

type Event<Name extends keyof AgentListener> = Parameters<NonNullable<AgentListener[Name]>>[0];

/**
 * Makes a listener that traces and measures runs, model calls and tool calls with OpenTelemetry's conventions for generative AI.
 *
 * ```ts
 * await agent.generate("Weather in Paris?", { listeners: [openTelemetry()] });
 * ```
 *
 * It creates the spans `invoke_agent`, `chat` and `execute_tool`, and histograms of durations and tokens. One listener can be used
 * for all runs. Throws if the package `@opentelemetry/api` isn't installed. See docs/05-observability.md.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): AgentListener {
  checkOptionNames(options, optionNames, "openTelemetry");
  const api = loadApi();
  // The options are checked by the methods that are called: see OpenTelemetryOptions.
  const given = options as { readonly tracer?: Tracer; readonly meter?: Meter };
  const captured = (attributes: () => Attributes): Attributes => (options.captureContent === true ? attributes() : {});
  // Asked for when the first event comes: an application may register its providers after it has made the listener.
  let tracer: Tracer | undefined;
  let metrics: Metrics | undefined;
  const measure = (): Metrics => (metrics ??= createMetrics(given.meter ?? api.metrics.getMeter("toolwright")));
  const spans = new OpenSpans(api, () => (tracer ??= given.tracer ?? api.trace.getTracer("toolwright")));

  const fail = (span: Span, type: string, message: string | undefined): void => {
    span.setAttribute("error.type", type);
    const said = options.captureContent === true && message !== undefined && message !== "" ? { message } : {};
    span.setStatus({ code: api.SpanStatusCode.ERROR, ...said });
  };

  const endTool = (record: ToolCallRecord): void => {
    const { runId, callId, result, attempt, changes, stack, duration, tool } = record;
    const startTime = new Date(record.startedAt);
    const origin = { parentCallId: record.parentCallId, startTime };
    // A call that was refused never started.
    const { span } = spans.call(runId, callId) ?? spans.startCall(runId, callId, `execute_tool ${tool}`, toolAttributes(record), origin);
    // An interrupt isn't a failure: the run waits for somebody.
    const errorType = result.errorType === "interrupted" ? undefined : result.errorType;
    if (attempt > 1) {
      const changed = changes === undefined ? {} : { "toolwright.changed_arguments": changes.map(({ path }) => path) };
      span.addEvent("toolwright.retry", { "toolwright.tool.attempt": attempt, ...changed }, startTime);
    }
    span.setAttributes(
      captured(() => ({
        "gen_ai.tool.call.arguments": JSON.stringify(record.input),
        ...(result.error === undefined && { "gen_ai.tool.call.result": JSON.stringify(result.data) }),
        ...(stack !== undefined && { "exception.stacktrace": stack }),
      })),
    );
    if (errorType !== undefined) fail(span, errorType, result.error);
    spans.endCall(runId, callId);
    measure().toolEnded(knownTool(record), duration, attempt, errorType);
  };

  const endModel = (event: Event<"modelFinished">): void => {
    const run = spans.run(event.runId);
    const failure = event.response === undefined ? modelFailure(event.error) : undefined;
    if (run?.chat !== undefined) {
      const { span } = run.chat;
      if (failure !== undefined) fail(span, failure.type, failure.message);
      if (event.response !== undefined) {
        const { usage, finishReason, reasoning, text, toolCalls } = event.response;
        run.usage = addUsage(run.usage, usage);
        const answer = [{ role: "assistant", parts: answerParts(reasoning, text, toolCalls), finish_reason: finishReason }];
        span.setAttributes({ "gen_ai.response.finish_reasons": [finishReason], ...usageAttributes(usage) });
        span.setAttributes(captured(() => ({ "gen_ai.output.messages": JSON.stringify(answer) })));
      }
      span.end();
      run.chat = undefined;
    }
    const usage = event.response?.usage;
    measure().modelEnded(event.model, event.duration, {
      ...(usage !== undefined && { usage }),
      ...(failure !== undefined && { errorType: failure.type }),
    });
  };

  const endRun = (event: Event<"runFinished">): void => {
    const run = spans.run(event.runId);
    if (run === undefined) return;
    const { outcome, steps } = event;
    const errorType = runFailure(event);
    run.span.setAttributes({ "toolwright.run.steps": steps, ...usageAttributes(run.usage) });
    if (outcome !== undefined) run.span.setAttribute("toolwright.run.outcome", outcome.reason);
    if (errorType !== undefined) fail(run.span, errorType, outcome?.detail === undefined ? undefined : redactText(outcome.detail));
    spans.endRun(event.runId);
    measure().runEnded(event.agent, performance.now() - run.startedAt, errorType);
  };

  return {
    runStarted: (event) => {
      spans.startRun(event.runId, `invoke_agent ${event.agent}`, {
        "gen_ai.operation.name": "invoke_agent",
        ...agentAttributes(event),
        "toolwright.run.resumed": event.resumed,
      });
      for (const { callId, decision, decidedBy } of event.decisions ?? []) {
        spans.run(event.runId)?.span.addEvent("toolwright.decision", {
          "gen_ai.tool.call.id": callId,
          "toolwright.decision": decision,
          ...captured(() => (decidedBy === undefined ? {} : { "toolwright.decided_by": decidedBy })),
        });
      }
    },
    modelStarted: (event) => {
      const run = spans.run(event.runId);
      if (run === undefined) return;
      const model = modelAttributes(event.model);
      run.chat = spans.start(
        `chat ${model["gen_ai.request.model"]}`,
        api.SpanKind.CLIENT,
        { ...model, ...agentAttributes(event), ...captured(() => promptAttributes(event.request)), "toolwright.run.step": event.step },
        run.context,
      );
    },
    aroundModel: ({ runId }, run) => api.context.with(spans.run(runId)?.chat?.context ?? api.context.active(), run),
    modelRetried: ({ runId, error, delay }) => {
      const { type, message } = modelFailure(error);
      spans.run(runId)?.chat?.span.addEvent("toolwright.retry", {
        "error.type": type,
        "gen_ai.request.model": modelAttributes(error.modelId)["gen_ai.request.model"],
        "toolwright.retry.delay": delay,
        ...captured(() => ({ "exception.message": message })),
      });
      measure().modelRetried(error.modelId, type);
    },
    modelFinished: endModel,
    runFinished: endRun,
    toolStarted: (event) => {
      const { runId, callId, tool, parentCallId } = event;
      spans.startCall(runId, callId, `execute_tool ${tool}`, toolAttributes(event), { parentCallId });
    },
    around: ({ runId, callId }, run) => api.context.with(spans.call(runId, callId)?.context ?? api.context.active(), run),
    toolFinished: endTool,
  };
}

/** A model may make up any name, and a metric must not have a series for each. */
const knownTool = ({ tool, result }: ToolCallRecord): string => (result.errorType === "unknown_tool" ? "_OTHER" : tool);

const agentAttributes = ({
  runId,
  agent,
  tags,
}: Omit<Event<"runStarted">, "resumed" | "agent" | "decisions"> & { readonly agent?: string }): Attributes => ({
  ...tagAttributes(tags),
  ...(agent !== undefined && { "gen_ai.agent.name": agent }),
  "toolwright.run.id": runId,
});

const toolAttributes = (event: Omit<ToolAttemptEvent, "category"> & Pick<ToolCallRecord, "category">): Attributes => ({
  "gen_ai.operation.name": "execute_tool",
  "gen_ai.tool.name": event.tool,
  "gen_ai.tool.type": "function",
  "gen_ai.tool.call.id": event.callId,
  ...agentAttributes(event),
  "toolwright.tool.attempt": event.attempt,
  ...(event.category !== undefined && { "toolwright.tool.category": event.category }),
});

const usageAttributes = (usage: Event<"runFinished">["usage"]): Attributes => ({
  "gen_ai.usage.input_tokens": usage.inputTokens,
  "gen_ai.usage.output_tokens": usage.outputTokens,
  "gen_ai.usage.cache_read.input_tokens": usage.cachedInputTokens,
  ...(usage.cacheWriteInputTokens !== undefined && { "gen_ai.usage.cache_creation.input_tokens": usage.cacheWriteInputTokens }),
  "gen_ai.usage.reasoning.output_tokens": usage.reasoningTokens,
});

const promptAttributes = ({ messages }: Event<"modelStarted">["request"]): Attributes => ({
  "gen_ai.input.messages": JSON.stringify(messages.map(toConventionMessage)),
});
