import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { context } from "@opentelemetry/api";
import {
  AggregationTemporality,
  type DataPoint,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";

/** What an application registers with `NodeSDK`: without it, no span is active in asynchronous code. */
export function registerContext(): void {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
}

/** OpenTelemetry with everything kept in memory. */
export function telemetry() {
  const spanExporter = new InMemorySpanExporter();
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spanExporter)] }).getTracer("test");
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 1_000_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const spans = (): ReadableSpan[] => spanExporter.getFinishedSpans();
  /** The spans as an indented tree, children by their start. */
  const tree = (): string[] => {
    const below = (parent: string | undefined, indent: string): string[] =>
      spans()
        .filter((span) => span.parentSpanContext?.spanId === parent)
        .sort((one, other) => one.startTime[0] - other.startTime[0] || one.startTime[1] - other.startTime[1])
        .flatMap((span) => [`${indent}${span.name}`, ...below(span.spanContext().spanId, `${indent}  `)]);
    return below(undefined, "");
  };
  const named = (name: string): ReadableSpan[] => spans().filter((span) => span.name === name);
  /** The points of a metric, with what was counted or summed. */
  const points = async (name: string) => {
    await reader.forceFlush();
    const metrics =
      metricExporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
    const found = metrics.find(({ descriptor }) => descriptor.name === name);
    return (found?.dataPoints ?? []).map(({ attributes, value }: DataPoint<unknown>) => ({ attributes, value }));
  };
  const stop = () => meterProvider.shutdown();
  return { tracer, meter: meterProvider.getMeter("test"), spans, named, tree, points, stop };
}
