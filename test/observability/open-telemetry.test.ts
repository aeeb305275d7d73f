import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import { buildSync } from "esbuild";
import { Agent, type AgentListener, model, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { type ChatModel, ModelError, noUsage, ScriptedModel } from "../../src/models/index.js";
import { openTelemetry, type OpenTelemetryOptions } from "../../src/observability/index.js";
import {
  createTool,
  description,
  failure,
  identifier,
  required,
  requiresConfirmation,
  Tool,
  type ToolContext,
  timeout,
} from "../../src/tool/index.js";
import { registerContext, telemetry } from "./support.js";

@identifier("weather")
@description("Gets the weather. Use when asked for it.")
class WeatherTool extends Tool {
  @required(String) city!: string;

  async call() {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (this.city === "Atlantis") return failure("no station, token=abcdefgh12345678");
    if (this.city === "Mordor") throw new TypeError("no way in at https://ann:hunter2@mordor.test/");
    return { city: this.city, apiKey: "k-123456789" };
  }
}

@identifier("trip")
@description("Plans a trip. Use when asked for one.")
class TripTool extends Tool {
  async call({ call }: ToolContext) {
    return call(WeatherTool, { city: "Paris" });
  }
}

@identifier("slow")
@description("Takes long. Use when told to.")
@timeout(15)
class SlowTool extends Tool {
  call() {
    return new Promise(() => undefined);
  }
}

@identifier("refund")
@description("Refunds. Use when told to.")
@requiresConfirmation()
class RefundTool extends Tool {
  call() {
    return "refunded";
  }
}

const call = (name: string, values: Record<string, string> = {}) => ({ name, arguments: values });
const weather = (city: string) => call("weather", { city });

@identifier("scout")
@description("Finds things out. Use when something must be found out.")
@model(
  new ScriptedModel(
    Array.from({ length: 9 }, (_, index) => (index % 2 === 0 ? { toolCalls: [weather("Rome")] } : "Found.")),
    { id: "scripted/scout" },
  ),
)
@usesTools([WeatherTool])
class Scout extends Agent {}

function traced(script: ConstructorParameters<typeof ScriptedModel>[0], options: Partial<OpenTelemetryOptions> = {}) {
  @identifier("helper")
  @model(new ScriptedModel(script, { id: "openai/gpt-5-mini" }), { retries: 0 })
  @usesTools([WeatherTool, TripTool, SlowTool, RefundTool, Scout])
  class Helper extends Agent {}

  const told = telemetry();
  const listener = openTelemetry({ tracer: told.tracer, meter: told.meter, ...options });
  const agent = new Helper();
  const run = (prompt = "Go", listeners: readonly AgentListener[] = [listener]) =>
    agent.generate(prompt, { listeners, tags: { tenant: "acme", conversation: "chat_7" } });
  return { ...told, run, agent, listener };
}

beforeAll(registerContext);
afterAll(() => context.disable());

describe("the spans of a run", () => {
  it("hang under its invoke_agent span: model calls and tool calls", async () => {
    const { run, tree } = traced([{ toolCalls: [weather("Paris"), weather("Rome")] }, "Done."]);
    await run();
    expect(tree()).toEqual([
      "invoke_agent helper",
      "  chat gpt-5-mini",
      "  execute_tool weather",
      "  execute_tool weather",
      "  chat gpt-5-mini",
    ]);
  });

  it("nest: a call that a tool makes hangs under the call of that tool", async () => {
    const { run, tree } = traced([{ toolCalls: [call("trip"), call("trip")] }, "Done."]);
    await run();
    expect(tree().filter((line) => line.includes("execute_tool"))).toEqual([
      "  execute_tool trip",
      "    execute_tool weather",
      "  execute_tool trip",
      "    execute_tool weather",
    ]);
  });

  it("nest: the run of a sub-agent hangs under its tool call", async () => {
    const { run, tree } = traced([{ toolCalls: [call("scout", { prompt: "Rome?" })] }, "Done."]);
    await run();
    expect(tree()).toEqual([
      "invoke_agent helper",
      "  chat gpt-5-mini",
      "  execute_tool scout",
      "    invoke_agent scout",
      "      chat scout",
      "      execute_tool weather",
      "      chat scout",
      "  chat gpt-5-mini",
    ]);
  });

  it("hang under what the application traces, and what a tool traces hangs under its call", async () => {
    const { tracer, tree } = traced([]);
    const query = createTool({
      name: "query",
      description: "Asks a database.",
      inputSchema: { type: "object" },
      execute: async () => {
        await Promise.resolve();
        tracer.startSpan("SELECT").end();
      },
    });
    const executor = new ToolExecutor({ tools: [query], listeners: [openTelemetry({ tracer })] });
    const request = tracer.startSpan("GET /weather");
    await context.with(trace.setSpan(context.active(), request), () =>
      executor.call({ id: "1", name: "query", arguments: {} }, createRunScope()),
    );
    request.end();
    expect(tree()).toEqual(["GET /weather", "  execute_tool query", "    SELECT"]);
  });

  it("carry the names of OpenTelemetry's conventions, and the tags of the run", async () => {
    const usage = { inputTokens: 12, outputTokens: 5, cachedInputTokens: 3, cacheWriteInputTokens: 4, reasoningTokens: 1 };
    const { run, named } = traced([
      { toolCalls: [weather("Paris")], usage },
      { text: "Done.", usage },
    ]);
    await run();
    const common = {
      "gen_ai.agent.name": "helper",
      "gen_ai.conversation.id": "chat_7",
      "toolwright.tag.tenant": "acme",
      "toolwright.run.id": expect.any(String),
    };
    expect(named("chat gpt-5-mini")[0]?.attributes).toEqual({
      ...common,
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-5-mini",
      "gen_ai.response.finish_reasons": ["tool_calls"],
      "gen_ai.usage.input_tokens": 12,
      "gen_ai.usage.output_tokens": 5,
      "gen_ai.usage.cache_read.input_tokens": 3,
      "gen_ai.usage.cache_creation.input_tokens": 4,
      "gen_ai.usage.reasoning.output_tokens": 1,
      "toolwright.run.step": 1,
    });
    expect(named("execute_tool weather")[0]?.attributes).toEqual({
      ...common,
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "weather",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": "call_1",
      "toolwright.tool.attempt": 1,
      "toolwright.tool.category": "side_effect",
    });
    expect(named("invoke_agent helper")[0]?.attributes).toEqual({
      ...common,
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.usage.input_tokens": 24,
      "gen_ai.usage.output_tokens": 10,
      "gen_ai.usage.cache_read.input_tokens": 6,
      "gen_ai.usage.cache_creation.input_tokens": 8,
      "gen_ai.usage.reasoning.output_tokens": 2,
      "toolwright.run.outcome": "success",
      "toolwright.run.resumed": false,
      "toolwright.run.steps": 2,
    });
  });

  it("show failures by status and error.type, and a retry by an event with what the model changed", async () => {
    const { run, named } = traced([
      { toolCalls: [weather("Atlantis")] },
      { toolCalls: [weather("Paris")] },
      { toolCalls: [call("slow"), call("weather"), call("made_up")] },
      "Done.",
    ]);
    await run();
    const [failed, retried, refused] = named("execute_tool weather");
    expect(failed?.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(failed?.attributes["error.type"]).toBe("execution_error");
    expect(retried?.status.code).toBe(SpanStatusCode.UNSET);
    expect(retried?.events).toMatchObject([
      { name: "toolwright.retry", attributes: { "toolwright.tool.attempt": 2, "toolwright.changed_arguments": ["city"] } },
    ]);
    expect(refused?.attributes["error.type"]).toBe("validation_error");
    expect(named("execute_tool slow")[0]?.attributes["error.type"]).toBe("timeout_error");
    expect(named("execute_tool made_up")[0]?.attributes["error.type"]).toBe("unknown_tool");
  });

  it("show a failed model by error.type, on the chat and on the run", async () => {
    const error = new ModelError("openai/gpt-5-mini", "overloaded", { retryable: false, status: 503 });
    const { run, named } = traced([{ error }]);
    await run();
    expect(named("chat gpt-5-mini")[0]?.attributes["error.type"]).toBe("503");
    expect(named("invoke_agent helper")[0]?.attributes["error.type"]).toBe("model_error");
    expect(named("invoke_agent helper")[0]?.status.code).toBe(SpanStatusCode.ERROR);
  });

  it("hold what the model's client traces, and its failed attempts as events", async () => {
    const { tracer, tree, named, points, stop, listener } = traced([]);
    const error = new ModelError("test/posting", "busy at https://ann:hunter2@models.test/", {
      retryable: true,
      status: 503,
      retryAfter: 0,
    });
    let attempts = 0;
    const posting: ChatModel = {
      id: "test/posting",
      generate: async () => {
        await Promise.resolve();
        tracer.startSpan("POST").end();
        attempts += 1;
        if (attempts === 1) throw error;
        return { text: "Done.", toolCalls: [], finishReason: "stop", usage: noUsage };
      },
    };

    @identifier("poster")
    @model(posting)
    class PostingAgent extends Agent {}

    await PostingAgent.generate("Hi", { listeners: [listener] });
    expect(tree()).toEqual(["invoke_agent poster", "  chat posting", "    POST", "    POST"]);
    const [chat] = named("chat posting");
    expect(chat?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      ["toolwright.retry", { "error.type": "503", "gen_ai.request.model": "posting", "toolwright.retry.delay": 0 }],
    ]);
    expect(chat?.attributes["error.type"]).toBeUndefined();
    expect((await points("toolwright.model.retries")).map(({ value }) => value)).toEqual([1]);
    await stop();
  });

  it("end if code throws", async () => {
    const { run, tree, named } = traced([{ error: new RangeError("mistake") }]);
    await expect(run()).rejects.toThrow("mistake");
    expect(tree()).toEqual(["invoke_agent helper", "  chat gpt-5-mini"]);
    expect(named("chat gpt-5-mini")[0]?.attributes["error.type"]).toBe("RangeError");
    expect(named("invoke_agent helper")[0]?.attributes["error.type"]).toBe("_OTHER");
  });

  it("are two for a run that paused and went on: with one run id, the second linked to the first", async () => {
    const { run, agent, listener, named } = traced([{ toolCalls: [call("refund")] }, "Done."]);
    const { state } = await run();
    if (state === undefined) throw new Error("The run didn't pause.");
    await agent.resume(state, { decisions: [approve("call_1")], listeners: [listener] });
    const [paused, resumed] = named("invoke_agent helper");
    expect(paused?.attributes).toMatchObject({ "toolwright.run.outcome": "awaiting_confirmation", "toolwright.run.resumed": false });
    expect(paused?.status.code).toBe(SpanStatusCode.UNSET);
    expect(resumed?.attributes).toMatchObject({
      "toolwright.run.id": paused?.attributes["toolwright.run.id"],
      "toolwright.run.resumed": true,
      "toolwright.tag.tenant": "acme",
    });
    expect(resumed?.links.map((link) => link.context.spanId)).toEqual([paused?.spanContext().spanId]);
    expect(named("execute_tool refund")[0]?.parentSpanContext?.spanId).toBe(resumed?.spanContext().spanId);
  });

  it("of runs at the same time don't mix", async () => {
    const { listener, tree } = traced([]);
    await Promise.all(Array.from({ length: 4 }, () => traced([{ toolCalls: [weather("Paris")] }, "Done."]).run("Go", [listener])));
    const one = ["invoke_agent helper", "  chat gpt-5-mini", "  execute_tool weather", "  chat gpt-5-mini"];
    expect(tree()).toEqual([...one, ...one, ...one, ...one]);
  });
});

describe("content", () => {
  const script = [
    { reasoning: "They want rain", toolCalls: [weather("Paris"), weather("Mordor"), weather("Atlantis")] },
    "It rains in Paris, says https://ann:hunter2@weather.test/",
  ];
  const prompt = "Rain in Paris? My key is sk-abcdefghijklmnop1234, all right?";

  it("stays out: no prompt, answer, argument, result or text of an error is in a span", async () => {
    const { run, spans } = traced(script);
    await run(prompt);
    const all = JSON.stringify(spans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })));
    for (const word of ["Paris", "Rain", "rain", "Mordor", "way in", "station"]) expect(all).not.toContain(word);
  });

  it("goes in if it is asked for, in the conventions' form, without secrets", async () => {
    const { run, spans, named } = traced(script, { captureContent: true });
    await run(prompt);
    const [first, last] = named("chat gpt-5-mini").map(({ attributes }) => ({
      input: JSON.parse(String(attributes["gen_ai.input.messages"])),
      output: JSON.parse(String(attributes["gen_ai.output.messages"])),
    }));
    expect(first?.input).toEqual([{ role: "user", parts: [{ type: "text", content: "Rain in Paris? My key is [redacted], all right?" }] }]);
    expect(first?.output[0]).toMatchObject({
      role: "assistant",
      parts: [
        { type: "reasoning", content: "They want rain" },
        { type: "tool_call", id: "call_1", name: "weather", arguments: { city: "Paris" } },
        { type: "tool_call" },
        { type: "tool_call" },
      ],
      finish_reason: "tool_calls",
    });
    expect(last?.input[2]).toMatchObject({ role: "tool", parts: [{ type: "tool_call_response", id: "call_1" }] });
    const tools = named("execute_tool weather");
    const paris = tools.find(({ attributes }) => attributes["gen_ai.tool.call.id"] === "call_1");
    expect(paris?.attributes).toMatchObject({
      "gen_ai.tool.call.arguments": '{"city":"Paris"}',
      "gen_ai.tool.call.result": '{"city":"Paris","apiKey":"[redacted]"}',
    });
    const mordor = tools.find(({ attributes }) => attributes["gen_ai.tool.call.id"] === "call_2");
    expect(mordor?.status.message).toContain("no way in at https://[redacted]@mordor.test/");
    expect(mordor?.attributes["exception.stacktrace"]).toMatch(/^TypeError: no way in.*\n +at /);
    const all = JSON.stringify(spans().map(({ attributes, events, status }) => ({ attributes, events, status })));
    for (const secret of ["hunter2", "sk-abcdefghijklmnop1234", "k-123456789"]) expect(all).not.toContain(secret);
  });
});

describe("the metrics", () => {
  it("count tokens, durations, errors by type and retries", async () => {
    const usage = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 0, reasoningTokens: 0 };
    const { run, points, stop } = traced([
      { toolCalls: [weather("Atlantis"), call("made_up_1")], usage },
      { toolCalls: [weather("Paris"), call("made_up_2")], usage },
      "Done.",
    ]);
    await run();
    const of = async (name: string) =>
      (await points(name)).map(({ attributes, value }) => [attributes, (value as { count: number }).count]);
    const tool = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "weather" };
    expect(await of("gen_ai.execute_tool.duration")).toEqual(
      expect.arrayContaining([
        [{ ...tool, "error.type": "execution_error" }, 1],
        [tool, 1],
        [{ ...tool, "gen_ai.tool.name": "_OTHER", "error.type": "unknown_tool" }, 2],
      ]),
    );
    const chat = { "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-5-mini" };
    expect(await of("gen_ai.client.operation.duration")).toEqual([[chat, 3]]);
    expect(await of("gen_ai.invoke_agent.duration")).toEqual([
      [{ "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper" }, 1],
    ]);
    expect(
      (await points("gen_ai.client.token.usage")).map(({ attributes, value }) => [attributes, (value as { sum: number }).sum]),
    ).toEqual([
      [{ ...chat, "gen_ai.token.type": "input" }, 200],
      [{ ...chat, "gen_ai.token.type": "output" }, 40],
    ]);
    expect(await points("toolwright.tool.retries")).toEqual([{ attributes: { "gen_ai.tool.name": "weather" }, value: 1 }]);
    await stop();
  });
});

describe("openTelemetry", () => {
  it("does nothing if the application registered no provider", async () => {
    const { run } = traced([{ toolCalls: [weather("Paris")] }, "Done."]);
    expect((await run("Go", [openTelemetry()])).text).toBe("Done.");
  });

  it("traces on if another listener throws, and disturbs nothing if the tracer throws", async () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation();
    const { run, tree, listener } = traced([{ toolCalls: [weather("Paris")] }, "Done."]);
    const refuse = () => {
      throw new Error("broken");
    };
    const broken = openTelemetry({ tracer: { startSpan: refuse }, meter: { createHistogram: refuse, createCounter: refuse } });
    expect((await run("Go", [broken, listener])).text).toBe("Done.");
    expect(tree()).toHaveLength(4);
    expect(warn).toHaveBeenCalled();
    warn.mockRestore();
  });

  it("sends spans that a collector reads over HTTP, though the provider was registered after the listener was made", async () => {
    const bodies: any[] = [];
    const collector = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      bodies.push({ path: request.url, ...JSON.parse(body) });
      response.setHeader("content-type", "application/json").end("{}");
    });
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
    const { port } = collector.address() as AddressInfo;
    // The exporter imports dynamically, which jest can't do without a flag: so the application is a process of its own.
    const program = buildSync({
      entryPoints: [join(__dirname, "exporting-run.ts")],
      bundle: true,
      platform: "node",
      external: ["@opentelemetry/*", "reflect-metadata", "class-*", "typedi", "@ai-sdk/*"],
      write: false,
    }).outputFiles[0]?.text;
    const application = execFile(process.execPath, ["-"], {
      env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
    });
    application.stdin?.end(program);
    const code = await new Promise((resolve) => application.on("exit", resolve));
    collector.closeAllConnections();
    await new Promise((resolve) => collector.close(resolve));
    expect(code).toBe(0);
    const spans = bodies.flatMap(({ resourceSpans }) => resourceSpans[0].scopeSpans[0].spans);
    const root = spans.find(({ name }) => name === "invoke_agent helper");
    expect(bodies[0].path).toBe("/v1/traces");
    expect(spans.filter(({ parentSpanId }) => parentSpanId === root.spanId).map(({ name }) => name)).toEqual([
      "chat gpt-5-mini",
      "execute_tool weather",
      "chat gpt-5-mini",
    ]);
    expect(spans[1].attributes).toContainEqual({ key: "error.type", value: { stringValue: "execution_error" } });
  }, 30_000);
});
