/** A program that an application would be: an agent runs, and its spans are sent to the collector at `OTEL_EXPORTER_OTLP_ENDPOINT`. */
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { openTelemetry } from "../../src/observability/index.js";
import { createTool, failure, identifier } from "../../src/tool/index.js";

const weather = createTool({
  name: "weather",
  description: "Gets the weather. Use when asked for it.",
  inputSchema: { type: "object" },
  execute: () => failure("No station."),
});

@identifier("helper")
@model(new ScriptedModel([{ toolCalls: [{ name: "weather" }] }, "Done."], { id: "openai/gpt-5-mini" }))
@usesTools([weather])
class Helper extends Agent {}

const listener = openTelemetry();
const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider(provider);
new Helper().generate("Weather?", { listeners: [listener] }).finally(() => provider.shutdown());
