import { Agent, type AgentEvent, createTool, model, usesTools } from "../../src/index.js";
import { ScriptedModel, type ScriptedStep, type ChatModel, noUsage } from "../../src/models/index.js";
import { isPaired } from "../support/paired.js";

/** Faults that users of like libraries met in the loop: parallel calls, and what becomes of the history. */

const work = createTool({
  name: "work",
  description: "Works. Use for tests.",
  inputSchema: { type: "object", properties: { a: { type: "integer" } } },
  execute: ({ a }) => `worked on ${a}`,
});
const broken = createTool({
  name: "broken",
  description: "Fails. Use for tests.",
  inputSchema: { type: "object" },
  execute: () => {
    throw new Error("disk full");
  },
});
const endless = createTool({
  name: "endless",
  description: "Never ends. Use for tests.",
  inputSchema: { type: "object" },
  execute: () => new Promise(() => undefined),
});

function agentWith(source: ChatModel | readonly ScriptedStep[]) {
  @model("generate" in source ? source : new ScriptedModel(source))
  @usesTools([work, broken, endless])
  class WorkAgent extends Agent {}

  return new WorkAgent();
}

const call = (id: string, name: string, json = "{}") => ({ id, name, arguments: json });
const calls = (...toolCalls: ReturnType<typeof call>[]) => ({ toolCalls });

describe("case 28: a call without a result", () => {
  const histories = (scripted: ScriptedModel) => scripted.requests.map(({ messages }) => messages);

  it("after an abort has one that says cancelled, directly after the call, before the model is asked again", async () => {
    const scripted = new ScriptedModel([calls(call("c1", "endless"), call("c2", "work")), "Hello again."]);
    const agent = agentWith(scripted);
    const stream = agent.stream("Go");
    for await (const event of stream) if (event.type === "tool_result") break;
    expect((await stream.response).outcome.reason).toBe("aborted");
    expect((await agent.generate("again")).text).toBe("Hello again.");
    expect(histories(scripted)[1]?.slice(1, 5)).toMatchObject([
      { role: "assistant" },
      { role: "tool", toolCallId: "c1", errorType: "cancelled" },
      { role: "tool", toolCallId: "c2", content: expect.stringContaining("worked on") },
      { role: "user", content: "again" },
    ]);
  });

  it("is in no state that is stored while listeners receive the messages of a step", async () => {
    const agent = agentWith([calls(call("c1", "work"), call("c2", "broken"), call("c3", "work")), "Done."]);
    const stored: boolean[] = [];
    agent.onMessage(() => {
      const { state } = agent;
      if (state === undefined) return;
      const waits = state.loop.current !== null;
      stored.push(isPaired(waits ? state.messages.slice(0, -1) : state.messages));
    });
    await agent.generate("Go");
    expect(stored).toEqual([true, true, true, true]);
  });
});

it("case 29: of two parallel calls one fails, and both have a result, the failed one an error", async () => {
  const agent = agentWith([calls(call("c1", "work", '{"a":1}'), call("c2", "broken")), "Done."]);
  await agent.generate("Go");
  expect(agent.messages.slice(2, 4)).toEqual([
    { role: "tool", toolCallId: "c1", toolName: "work", content: "worked on 1" },
    { role: "tool", toolCallId: "c2", toolName: "broken", content: "Error executing tool: disk full", errorType: "execution_error" },
  ]);
});

/** A model that tells its calls piece by piece, with one index and ids as given. */
const pieceByPiece = (
  pieces: readonly { readonly index: number; readonly id: string; readonly arguments: string }[],
  ids: readonly string[],
): ChatModel => ({
  id: "test/pieces",
  generate: async ({ messages, onDelta }) => {
    if (messages.length > 1) return { text: "Done.", toolCalls: [], finishReason: "stop", usage: noUsage };
    for (const piece of pieces) onDelta?.({ type: "tool_call", name: "work", ...piece });
    const toolCalls = ids.map((id, index) => call(id, "work", `{"a":${index + 1}}`));
    return { text: "", toolCalls, finishReason: "tool_calls", usage: noUsage };
  },
});

/** The arguments of each call, joined from their pieces, by the id that the stream gives it. */
async function joined(agent: Agent): Promise<{ readonly written: Record<string, string>; readonly response: unknown }> {
  const written: Record<string, string> = {};
  const stream = agent.stream("Go");
  const add = (event: AgentEvent) => {
    if (event.type === "tool_call_delta") written[event.callId] = (written[event.callId] ?? "") + event.delta;
  };
  for await (const event of stream) add(event);
  return { written, response: (await stream.response).steps[0]?.toolCalls };
}

it("case 31: a stream distinguishes the pieces of two calls, and each call runs with its own arguments", async () => {
  const pieces = [
    { index: 0, id: "x", arguments: '{"a"' },
    { index: 1, id: "y", arguments: '{"a"' },
    { index: 0, id: "x", arguments: ":1}" },
    { index: 1, id: "y", arguments: ":2}" },
  ];
  const { written, response } = await joined(agentWith(pieceByPiece(pieces, ["x", "y"])));
  expect(written).toEqual({ x: '{"a":1}', y: '{"a":2}' });
  expect(response).toMatchObject([
    { id: "x", data: "worked on 1" },
    { id: "y", data: "worked on 2" },
  ]);
});

it("case 31: two objects glued into one text are an argument error, never empty arguments", async () => {
  const agent = agentWith([calls(call("c1", "work", '{"a":1}{"a":2}')), "Done."]);
  const { steps } = await agent.generate("Go");
  expect(steps[0]?.toolCalls[0]).toMatchObject({ errorType: "validation_error" });
});

it("case 32: a call whose pieces have no id gets one, the same for all of them, in its result too", async () => {
  const pieces = [
    { index: 0, id: "", arguments: '{"a"' },
    { index: 0, id: "", arguments: ":1}" },
  ];
  const { written, response } = await joined(agentWith(pieceByPiece(pieces, [""])));
  expect(written).toEqual({ call_1: '{"a":1}' });
  expect(response).toMatchObject([{ id: "call_1", data: "worked on 1" }]);
});

it("case 34: an unknown call and another try after it leave a history of calls with their results", async () => {
  const scripted = new ScriptedModel([calls(call("c1", "final_result")), calls(call("c2", "work", '{"a":3}')), "Done."]);
  expect((await agentWith(scripted).generate("Go")).text).toBe("Done.");
  expect(scripted.requests.every(({ messages }) => isPaired(messages))).toBe(true);
  expect(scripted.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", toolCallId: "c1", errorType: "unknown_tool" });
});

describe("ids that a model makes up", () => {
  it.each([
    ["names of members that every object has", "constructor"],
    ["the name of its prototype", "__proto__"],
    ["numbers", "1"],
    ["very long", "x".repeat(100_000)],
    ["signs that few expect", "\u0000 ü/💥"],
  ])("may be %s", async (_what, id) => {
    const agent = agentWith([calls(call(id, "work"), call(id, "broken")), "Done."]);
    expect((await agent.generate("Go")).text).toBe("Done.");
    expect(isPaired(agent.messages)).toBe(true);
    expect(agent.messages[2]).toMatchObject({ content: expect.stringContaining("worked on") });
  });

  it("are never those of a call within a call", async () => {
    const agent = agentWith([calls(call("call_1/1", "work")), "Done."]);
    expect((await agent.generate("Go")).steps[0]?.toolCalls[0]?.id).toBe("call_1_1");
  });
});

describe("a stream", () => {
  it("reports the result of every call, also of those that were refused or cancelled", async () => {
    const cases: readonly (readonly [ReturnType<typeof agentWith>, object])[] = [
      [agentWith([calls(call("c1", "work"))]), { maxSteps: 1 }],
      [agentWith([{ ...calls(call("c1", "work", '{"a":')), finishReason: "length" }, "Done."]), {}],
      [agentWith([{ ...calls(call("c1", "work")), usage: { inputTokens: 9 } }]), { budget: { tokens: 5 } }],
      [agentWith([calls(call("c0", "work")), calls(call("c1", "work"))]), { budget: { callsPerTool: 1 } }],
      [agentWith([calls(call("c1", "endless"))]), { budget: { wallTime: 5 } }],
    ];
    for (const [agent, options] of cases) {
      const results: string[] = [];
      for await (const event of agent.stream("Go", options)) if (event.type === "tool_result") results.push(event.callId);
      expect(results.at(-1)).toBe("c1");
    }
  });

  it("has done as its last event, whatever the model sends after the end", async () => {
    let late: (() => void) | undefined;
    const slow: ChatModel = {
      id: "test/slow",
      generate: ({ onDelta }) => {
        late = () => onDelta?.({ type: "text", text: "too late" });
        return new Promise(() => undefined);
      },
    };
    const stream = agentWith(slow).stream("Go", { budget: { wallTime: 5 } });
    await stream.response;
    await new Promise(setImmediate);
    late?.();
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    expect(types).toEqual(["done"]);
  });
});

describe("an interruption in the middle of a step", () => {
  it("lets no further call begin, and each call runs once, before it or after the run is resumed", async () => {
    const ran: string[] = [];
    const agents: Agent[] = [];
    const stopping = createTool({
      name: "stopping",
      description: "Works, and stops the run. Use for tests.",
      inputSchema: { type: "object", properties: { a: { type: "string" } } },
      execute: ({ a }) => {
        ran.push(String(a));
        agents[0]?.interrupt("shutting down");
        return "done";
      },
    });

    @model(new ScriptedModel([calls(...["1", "2", "3"].map((id) => call(id, "stopping", `{"a":"${id}"}`))), "Done."]))
    @usesTools([stopping])
    class StoppedAgent extends Agent {}

    agents.push(new StoppedAgent());
    const stopped = await agents[0]?.generate("Go", { concurrency: 1 });
    expect(stopped?.outcome).toEqual({ reason: "interrupted", detail: "shutting down" });
    expect(ran).toEqual(["1"]);
    if (stopped?.state === undefined) throw new Error("an interrupted run can be resumed");
    expect((await new StoppedAgent().resume(stopped.state)).text).toBe("Done.");
    expect(ran).toEqual(["1", "2", "3"]);
  });
});
