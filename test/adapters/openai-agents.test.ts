import { Agent, RunContext, RunState, run, setTracingDisabled, ToolCallError, toolNamespace } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { type OpenAiAgentsTool, toOpenAiAgentsTools } from "../../src/adapters/openai-agents/index.js";
import { ToolInterrupt } from "../../src/tool/index.js";
import { AuditTool, happened, RefundTool, WeatherTool } from "./support.js";

setTracingDisabled(true);
beforeEach(() => happened.splice(0));

function agentWith(tools: OpenAiAgentsTool<unknown>[], name: string, input: Record<string, unknown> | string) {
  const model = new ScriptedModel([[functionCall(name, input, { callId: "call_1" })], [assistantMessage("done")]]);
  return { model, agent: new Agent({ name: "tester", model, tools }) };
}

/** What the model read of its calls in its last request. */
const readBy = ({ lastCall }: ScriptedModel): string[] =>
  (lastCall!.request.input as { type: string; output: { text: string } }[])
    .filter(({ type }) => type === "function_call_result")
    .map(({ output }) => output.text);

describe("a tool that requires confirmation", () => {
  const asked = async () => {
    const { agent, model } = agentWith(toOpenAiAgentsTools([RefundTool]), "refund", { order: "A-17", amount: 200 });
    return { agent, model, result: await run(agent, "go") };
  };

  it("interrupts the run, and hasn't run", async () => {
    const { result } = await asked();
    expect(result.interruptions.map(({ name }) => name)).toEqual(["refund"]);
    expect(happened).toEqual([]);
  });

  it("runs once it is approved", async () => {
    const { agent, model, result } = await asked();
    result.state.approve(result.interruptions[0]!);
    await run(agent, result.state);
    expect(readBy(model)).toEqual(["Refunded 200."]);
    expect(happened).toEqual(["refunded 200 for A-17"]);
  });

  it("runs once it is approved in another process, from the stored state", async () => {
    const { agent, model, result } = await asked();
    const state = await RunState.fromString(agent, JSON.parse(JSON.stringify(result.state.toString())));
    state.approve(state.getInterruptions()[0]!);
    await run(agent, state);
    expect(readBy(model)).toEqual(["Refunded 200."]);
  });

  it("case 49: runs with the context that the stored state is resumed with", async () => {
    const tools = toOpenAiAgentsTools<{ user: string }>([RefundTool], {
      scope: ({ context }) => ({ runId: context.user }),
      listeners: [{ toolStarted: ({ runId }) => void happened.push(`for ${runId}`) }],
    });
    const model = new ScriptedModel([
      [functionCall("refund", { order: "A-17", amount: 200 }, { callId: "call_1" })],
      [assistantMessage("done")],
    ]);
    const agent = new Agent({ name: "tester", model, tools });
    const { state } = await run(agent, "go", { context: { user: "ada" } });
    const restored = await RunState.fromStringWithContext(agent, state.toString(), new RunContext({ user: "bob" }), {
      contextStrategy: "replace",
    });
    restored.approve(restored.getInterruptions()[0]!);
    await run(agent, restored);
    expect(happened).toEqual(["for bob", "refunded 200 for A-17"]);
  });

  it("doesn't run when it is rejected, and the model reads why", async () => {
    const { agent, model, result } = await asked();
    result.state.reject(result.interruptions[0]!, { message: "Too much." });
    await run(agent, result.state);
    expect(readBy(model)).toEqual(["Too much."]);
    expect(happened).toEqual([]);
  });

  it("runs without a question if its rule needs none", async () => {
    const { agent, model } = agentWith(toOpenAiAgentsTools([RefundTool]), "refund", { order: "A-17", amount: 20 });
    await run(agent, "go");
    expect(readBy(model)).toEqual(["Refunded 20."]);
  });

  it("runs once it is approved in a namespace", async () => {
    const call = functionCall("refund", { order: "A-17", amount: 200 }, { callId: "call_1", namespace: "shop" });
    const model = new ScriptedModel([[call], [assistantMessage("done")]]);
    const tools = toolNamespace({ name: "shop", description: "The shop's.", tools: toOpenAiAgentsTools([RefundTool]) });
    const agent = new Agent({ name: "tester", model, tools });
    const { state, interruptions } = await run(agent, "go");
    state.approve(interruptions[0]!);
    await run(agent, state);
    expect(readBy(model)).toEqual(["Refunded 200."]);
  });

  it("doesn't run without an approval, and the run ends with its interrupt", async () => {
    const unasked = toOpenAiAgentsTools([RefundTool]).map((tool) => ({ ...tool, needsApproval: async () => false }));
    const { agent } = agentWith(unasked, "refund", { order: "A-17", amount: 200 });
    const error = await run(agent, "go").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolCallError);
    expect((error as ToolCallError).error).toBeInstanceOf(ToolInterrupt);
    expect(happened).toEqual([]);
  });
});

describe("OpenAI's strict mode", () => {
  const [weather] = toOpenAiAgentsTools([WeatherTool]);

  it("is asked for if the schema fits: every parameter is required, and null is one that is left out", () => {
    expect(weather!.strict).toBe(true);
    expect(weather!.parameters.required).toEqual(["city", "days"]);
  });

  it("null for an optional parameter is its default", async () => {
    const { agent, model } = agentWith([weather!], "weather_now", { city: "Paris", days: null });
    await run(agent, "go");
    expect(readBy(model)).toEqual(['{"city":"Paris","days":1,"sky":"sunny"}']);
  });
});

it("text that isn't JSON is answered by the SDK itself, without an approval", async () => {
  const { agent, model } = agentWith(toOpenAiAgentsTools([WeatherTool]), "weather_now", '{"city": "Paris",}');
  const { interruptions } = await run(agent, "go");
  expect(interruptions).toEqual([]);
  expect(readBy(model)).toEqual(["An error occurred while parsing tool arguments. Please try again with valid JSON."]);
});

it("text that isn't JSON, for a tool with a confirmation rule, is put before a person by the SDK, and never runs", async () => {
  const { agent, model } = agentWith(toOpenAiAgentsTools([RefundTool]), "refund", '{"order": "A-17",}');
  const { interruptions, state } = await run(agent, "go");
  state.approve(interruptions[0]!);
  await run(agent, state);
  expect(readBy(model)[0]).toContain("error occurred while parsing tool arguments");
  expect(happened).toEqual([]);
});

it("the context of the run decides which tools are shown, if the scope is a function of it", async () => {
  const tools = toOpenAiAgentsTools<{ roles: string[] }>([WeatherTool, AuditTool], {
    scope: ({ context }) => ({ toolContext: { roles: context.roles } }),
  });
  const shownTo = async (roles: string[]) => {
    const model = new ScriptedModel([[assistantMessage("done")]]);
    const agent = new Agent<{ roles: string[] }>({ name: "tester", model, tools: [...tools, ...toOpenAiAgentsTools([RefundTool])] });
    await run(agent, "go", { context: { roles } });
    return model.firstCall!.request.tools.map(({ name }) => name);
  };
  expect(await shownTo([])).toEqual(["weather_now", "refund"]);
  expect(await shownTo(["auditor"])).toEqual(["weather_now", "audit", "refund"]);
});
