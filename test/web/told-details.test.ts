import { z } from "zod";
import { Agent, block, guardrail, model, usesTools } from "../../src/agent/index.js";
import { agentHandler, type AnswerFormat, MemoryRunStateStore, toEventStream } from "../../src/web/index.js";
import { ModelError, ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { returns } from "../../src/tool/index.js";
import { callOf, RefundTool, WaitTool, WeatherTool } from "./support.js";

const weather = callOf("weather", { city: "Paris" });
const lost = { toolCalls: [callOf("weather", { city: "Atlantis" })] };

/** Each way in which a run can end, and the options that end it so. */
const endings: Readonly<Record<string, readonly [steps: readonly ScriptedStep[], options?: object, isStructured?: boolean]>> = {
  awaiting_confirmation: [[{ toolCalls: [callOf("refund", { order: "A-17" })] }]],
  max_steps: [[{ toolCalls: [weather] }], { maxSteps: 1 }],
  tokens: [[{ toolCalls: [weather], usage: { inputTokens: 9, outputTokens: 9, cachedTokens: 0 } as never }], { budget: { tokens: 1 } }],
  callsPerTool: [[{ toolCalls: [weather, weather] }], { budget: { callsPerTool: 1 } }],
  resultBytes: [[{ toolCalls: [weather] }], { budget: { resultBytes: 1 } }],
  wallTime: [[{ toolCalls: [callOf("wait")] }], { budget: { wallTime: 20 } }],
  repeated_failure: [Array.from({ length: 9 }, () => lost), { budget: { identicalFailures: 2 } }],
  truncated: [[{ text: "Sun", finishReason: "length" }]],
  content_filter: [[{ text: "", finishReason: "content_filter" }]],
  invalid_structured_output: [["no", "no"], {}, true],
  model_error: [[{ error: new ModelError("openai/x", "HTTP 401: see the settings of the account", { retryable: false }) }]],
};

/** Names that only a programmer knows. */
const advice =
  /(?<![\w\]])@\w|agent\.|maxSteps|maxOutputTokens|callsPerTool|wallTime|resultBytes|budget,|budget with|generate|[Rr]esume|settings|decisions \}|stateSecret/;

function agentOf(steps: readonly ScriptedStep[], isStructured: boolean): Agent {
  @model(new ScriptedModel(steps), { retries: 0 })
  @usesTools([WeatherTool, RefundTool, WaitTool])
  class PlainAgent extends Agent {}

  @model(new ScriptedModel(steps), { retries: 0 })
  @returns(z.object({ sky: z.string() }))
  class StructuredAgent extends Agent {}

  return isStructured ? new StructuredAgent() : new PlainAgent();
}

const asked = (format: AnswerFormat) =>
  new Request("http://localhost/", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(
      format === "ui" ? { messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "Hi" }] }] } : { prompt: "Hi" },
    ),
  });

/** The details in an answer, wherever they stand. */
function detailsIn(text: string): string[] {
  return [...text.matchAll(/"(?:detail|errorText|error|reason)":"((?:[^"\\]|\\.)*)"/g)].map(([, detail]) => detail ?? "");
}

describe("what a browser receives at a run's end", () => {
  for (const [name, [steps, options = {}, isStructured = false]] of Object.entries(endings)) {
    it.each(["sse", "ui", "json"] as const)(`has no advice for programmers: ${name}, %s`, async (format) => {
      const pausedRuns = { store: new MemoryRunStateStore(), authorise: () => true };
      const agent = () => agentOf(steps, isStructured);
      const handler = agentHandler({ agent, format, pausedRuns, options: () => options, onError: () => undefined });
      const text = await (await handler(asked(format))).text();
      expect(detailsIn(text).length).toBeGreaterThan(0);
      for (const detail of detailsIn(text)) expect(detail).not.toMatch(advice);
    });

    it(`has no advice for programmers in the state that it includes: ${name}`, async () => {
      const stream = agentOf(steps, isStructured).stream("Hi", options);
      const text = await toEventStream(stream, { includeState: true, onError: () => undefined }).text();
      for (const detail of detailsIn(text)) expect(detail).not.toMatch(advice);
    });
  }

  it("leaves advice for programmers to the response on the server", async () => {
    const { outcome } = await agentOf([{ toolCalls: [weather] }], false).generate("Hi", { maxSteps: 1 });
    expect(outcome.detail).toContain("@maxSteps");
  });

  it("has the message of a guardrail, which its author wrote to be read", async () => {
    @model(new ScriptedModel(["Hi."]))
    @guardrail("before", { checkInput: () => block("We don't talk about that.") })
    class GuardedAgent extends Agent {}

    const handler = agentHandler({ agent: () => new GuardedAgent(), format: "json" });
    expect(await (await handler(asked("json"))).text()).toContain("We don't talk about that.");
  });
});
