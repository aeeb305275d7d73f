import { AIMessage, HumanMessage, type ToolMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { fakeModel } from "@langchain/core/testing";
import { tool as langChainTool } from "@langchain/core/tools";
import { Annotation, Command, GraphInterrupt, type Interrupt, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { createReactAgent, ToolNode } from "@langchain/langgraph/prebuilt";
import fc from "fast-check";
import { approve, approveEdited, type Decision, deny } from "../../src/confirmation/index.js";
import { type ConfirmationRequest, ToolFailureError, toLangChainTools } from "../../src/adapters/langchain/index.js";
import { createTool, type ToolClass, ToolInterrupt } from "../../src/tool/index.js";
import { happened, RefundTool, WeatherTool } from "./support.js";
import { repeats } from "../support/repeats.js";

beforeEach(() => happened.splice(0));

type Calls = Parameters<ReturnType<typeof fakeModel>["respondWithTools"]>[0];

const weather = (city: string, id = "call_0") => ({ id, name: "weather_now", args: { city } });
const refund = (amount: number, id = "call_1") => ({ id, name: "refund", args: { order: "A-17", amount } });

/** A conversation with a LangGraph agent whose model makes the calls in one step. */
function conversation(tools: readonly ToolClass[], calls: Calls, version: "v1" | "v2" = "v1") {
  const llm = fakeModel().respondWithTools(calls).respond(new AIMessage("done"));
  const agent = createReactAgent({ llm, tools: toLangChainTools(tools), checkpointer: new MemorySaver(), version });
  const config = { configurable: { thread_id: "1" } };
  const read = (state: { messages: unknown[]; __interrupt__?: Interrupt<ConfirmationRequest>[] }) => ({
    asked: state.__interrupt__ ?? [],
    texts: (state.messages as ToolMessage[]).filter((message) => message.getType() === "tool").map(({ text }) => text),
  });
  return {
    begin: async () => read((await agent.invoke({ messages: [new HumanMessage("go")] }, config)) as never),
    resume: async (resume: unknown) => read((await agent.invoke(new Command({ resume }), config)) as never),
  };
}

describe.each(["v1", "v2"] as const)("in a LangGraph agent of version %s, a tool that requires confirmation", (version) => {
  const answered = async (answer: (request: ConfirmationRequest) => unknown) => {
    const { begin, resume } = conversation([RefundTool], [refund(200)], version);
    const { asked } = await begin();
    return resume(answer(asked[0]!.value!));
  };

  it("pauses the graph and says what is asked", async () => {
    const { asked, texts } = await conversation([RefundTool], [refund(200)], version).begin();
    expect(asked[0]!.value).toMatchObject({
      callId: "call_1",
      tool: "refund",
      input: { order: "A-17", amount: 200 },
      category: "side_effect",
    });
    expect([...texts, ...happened]).toEqual([]);
  });

  it("runs once it is approved", async () => {
    expect((await answered(approve)).texts).toEqual(["Refunded 200."]);
    expect(happened).toEqual(["refunded 200 for A-17"]);
  });

  it("doesn't run when it is denied, and the model reads the reason", async () => {
    const { texts } = await answered((request) => deny(request, "Too much."));
    expect(texts).toEqual(["Not run: a person was asked and denied this call. The reason: Too much. Don't call it again in the same way."]);
    expect(happened).toEqual([]);
  });

  it("runs with other arguments that a person wrote, and the model receives them", async () => {
    const { texts } = await answered((request) => approveEdited(request, { order: "A-17", amount: "150" }));
    expect(texts).toEqual(['A person changed the arguments to {"order":"A-17","amount":"150"} before approving this call.\nRefunded 150.']);
  });

  it("doesn't run with arguments of a person that don't fit", async () => {
    const { texts } = await answered((request) => approveEdited(request, { order: "A-17" }));
    expect(texts[0]).toContain("Invalid arguments: amount is required");
    expect(happened).toEqual([]);
  });

  it("runs without a question if its rule needs none", async () => {
    expect((await conversation([RefundTool], [refund(20)], version).begin()).texts).toEqual(["Refunded 20."]);
  });

  it.each<[string, (request: ConfirmationRequest) => unknown, string]>([
    ["is no decision", () => true, "A decision is made by approve"],
    ["is for another call", () => approve("call_9"), 'The answer was for the call "call_9"'],
    ["is for other arguments (case 50)", ({ callId }) => approve({ callId, id: "f".repeat(64) }), "or for other arguments"],
  ])("asks again if the answer %s", async (_what, answer, problem) => {
    const { begin, resume } = conversation([RefundTool], [refund(200)], version);
    const [first] = (await begin()).asked;
    const { asked } = await resume(answer(first!.value!));
    expect(asked[0]!.value!.problem).toContain(problem);
    expect(happened).toEqual([]);
    expect((await resume(approve(asked[0]!.value!))).texts).toEqual(["Refunded 200."]);
  });

  it("case 46, case 52: several of them and another tool: each runs once, and only what was approved", async () => {
    const { begin, resume } = conversation(
      [RefundTool, WeatherTool],
      [weather("Paris"), refund(200, "a"), refund(300, "b"), refund(20, "c")],
      version,
    );
    const decide = ({ value }: Interrupt<ConfirmationRequest>): Decision => (value!.callId === "a" ? approve(value!) : deny(value!));
    let state = await begin();
    while (state.asked.length > 0) state = await resume(Object.fromEntries(state.asked.map((one) => [one.id, decide(one)])));
    expect(state.texts).toEqual([
      '{"city":"Paris","days":1,"sky":"sunny"}',
      "Refunded 200.",
      expect.stringContaining("denied"),
      "Refunded 20.",
    ]);
    expect(happened.filter((line) => line.startsWith("refunded"))).toEqual(
      expect.arrayContaining(["refunded 200 for A-17", "refunded 20 for A-17"]),
    );
    expect(happened).toHaveLength(3);
  });
});

it("whatever calls stand together, each approved one runs once, and no denied one", async () => {
  const ran: string[] = [];
  const inputSchema = { type: "object", properties: { id: { type: "string" } }, required: ["id"] } as const;
  const after = (milliseconds: number) => new Promise<boolean>((resolve) => setTimeout(resolve, milliseconds, true));
  const rules = { free: false, asks: true, slow: () => after(15) } as const;
  const tools = Object.entries(rules).map(([name, requiresConfirmation]) =>
    createTool({
      name,
      description: "Notes that it ran.",
      inputSchema,
      requiresConfirmation,
      execute: ({ id }) => void ran.push(String(id)),
    }),
  );
  const calls = fc.array(fc.record({ name: fc.constantFrom("free", "asks", "slow"), approved: fc.boolean() }), {
    minLength: 1,
    maxLength: 5,
  });
  const property = fc.asyncProperty(calls, fc.constantFrom("v1" as const, "v2" as const), async (list, version) => {
    ran.splice(0);
    const made = list.map(({ name }, index) => ({ id: `call_${index}`, name, args: { id: `call_${index}` } }));
    const { begin, resume } = conversation(tools, made, version);
    const decide = ({ value }: Interrupt<ConfirmationRequest>) =>
      list[made.findIndex(({ id }) => id === value!.callId)]!.approved ? approve(value!) : deny(value!);
    let state = await begin();
    for (let round = 0; state.asked.length > 0; round += 1) {
      expect(round).toBeLessThan(20);
      state = await resume(Object.fromEntries(state.asked.map((one) => [one.id, decide(one)])));
    }
    expect([...ran].sort()).toEqual(made.filter((_, index) => list[index]!.name === "free" || list[index]!.approved).map(({ id }) => id));
  });
  await fc.assert(property, { numRuns: repeats(25) });
}, 60_000);

it("a slow rule counts as well: what stands beside its call runs once", async () => {
  const slow = createTool({
    name: "slow",
    description: "Asks after a while.",
    inputSchema: { type: "object" },
    requiresConfirmation: () => new Promise((resolve) => setTimeout(resolve, 30, true)),
    execute: () => "slowly done",
  });
  const { begin, resume } = conversation([slow, WeatherTool], [weather("Paris"), { id: "call_1", name: "slow", args: {} }]);
  const { asked } = await begin();
  expect(happened).toEqual([]);
  expect((await resume(approve(asked[0]!.value!))).texts[1]).toBe("slowly done");
  expect(happened).toHaveLength(1);
});

describe("if nothing can pause", () => {
  const [tool] = toLangChainTools([RefundTool]);

  it("a call outside of a graph throws a ToolInterrupt", async () => {
    await expect(tool!.invoke({ order: "A-17", amount: 200 })).rejects.toThrow(ToolInterrupt);
    expect(happened).toEqual([]);
  });

  it("a graph without a checkpointer reads what is missing", async () => {
    const message = new AIMessage({ content: "", tool_calls: [{ ...refund(200), type: "tool_call" }] });
    const { messages } = await new ToolNode([tool!]).invoke({ messages: [message] });
    expect(messages[0].text).toContain("compiled with a checkpointer");
    expect(happened).toEqual([]);
  });
});

it("a node that calls a tool by code is asked and goes on as well", async () => {
  const [tool] = toLangChainTools([RefundTool]);
  const State = Annotation.Root({ texts: Annotation<string[]> });
  const refunds = async () => ({
    texts: [await tool!.invoke({ order: "A-17", amount: 200 }), await tool!.invoke({ order: "A-17", amount: 20 })],
  });
  const graph = new StateGraph(State).addNode("refunds", refunds).addEdge(START, "refunds").compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: "1" } };
  await graph.invoke({ texts: [] }, config);
  const [asked] = (await graph.getState(config)).tasks[0]!.interrupts;
  const { texts } = await graph.invoke(new Command({ resume: approve(asked!.value as ConfirmationRequest) }), config);
  expect(texts).toEqual(["Refunded 200.", "Refunded 20."]);
});

it("a graph whose package can't be loaded gets an error that names the package to install", async () => {
  jest.doMock("@langchain/langgraph", () => {
    throw new Error("Cannot find module '@langchain/langgraph'");
  });
  const configurable = { __pregel_scratchpad: {}, __pregel_checkpointer: {} };
  const calling = toLangChainTools([RefundTool])[0]!.invoke({ order: "A-17", amount: 200 }, { configurable });
  await expect(calling).rejects.toThrow("npm install @langchain/langgraph");
  jest.dontMock("@langchain/langgraph");
});

describe("an interrupt of a tool's own code", () => {
  const ask = createTool({
    name: "ask",
    description: "Asks the user.",
    inputSchema: { type: "object" },
    execute: () => `The user says ${interrupt<string, string>("What do you want?")}.`,
  });

  it("case 53: pauses the graph as in a tool of LangChain, and its answer comes back", async () => {
    const { begin, resume } = conversation([ask], [{ id: "call_1", name: "ask", args: {} }]);
    expect((await begin()).asked[0]!.value).toBe("What do you want?");
    expect((await resume("tea")).texts).toEqual(["The user says tea."]);
  });

  it("comes out as it was thrown", async () => {
    const thrower = createTool({
      name: "ask",
      description: "Asks.",
      inputSchema: { type: "object" },
      execute: () => Promise.reject(new GraphInterrupt([])),
    });
    await expect(toLangChainTools([thrower])[0]!.invoke({})).rejects.toBeInstanceOf(GraphInterrupt);
  });
});

describe("the answer to a call", () => {
  const [tool] = toLangChainTools([WeatherTool]);
  const call = (args: Record<string, unknown>) => ({ id: "call_1", name: "weather_now", args, type: "tool_call" as const });

  it("is a ToolMessage with the data as its artifact", async () => {
    const message: ToolMessage = await tool!.invoke(call({ city: "Paris" }));
    expect(message).toMatchObject({ status: "success", tool_call_id: "call_1", name: "weather_now", artifact: { sky: "sunny" } });
  });

  it("is a ToolMessage of status error, whose text stays as it is", async () => {
    const message: ToolMessage = await tool!.invoke(call({ city: "Paris", days: 30 }));
    expect(message).toMatchObject({ status: "error", content: "Invalid arguments: days must be at most 7, got 30" });
  });

  it("is a text, or an error, if code calls the tool", async () => {
    expect(await tool!.invoke({ city: "Paris" })).toBe('{"city":"Paris","days":1,"sky":"sunny"}');
    await expect(tool!.invoke({ city: "Atlantis" })).rejects.toThrow(ToolFailureError);
  });
});

it("what a tool runs of LangChain is traced below its call, as in a tool of LangChain", async () => {
  const inner = RunnableLambda.from(() => "inner").withConfig({ runName: "inner" });
  const traced = async (tool: { invoke: (input: object, config: object) => Promise<unknown> }) => {
    const runs = new Map<string, string>();
    const parents: string[] = [];
    const handler = {
      handleToolStart: (_tool: unknown, _input: unknown, id: string) => void runs.set(id, "tool"),
      handleChainStart: (_chain: unknown, _input: unknown, _id: string, parent?: string) =>
        void parents.push(runs.get(parent ?? "") ?? "nobody"),
    };
    await tool.invoke({}, { callbacks: [handler] });
    return parents;
  };
  const schema = { type: "object" } as const;
  const [ours] = toLangChainTools([
    createTool({ name: "outer", description: "Runs.", inputSchema: schema, execute: () => inner.invoke("") }),
  ]);
  const theirs = langChainTool(() => inner.invoke(""), { name: "outer", description: "Runs.", schema });
  expect(await traced(ours!)).toEqual(await traced(theirs));
  expect(await traced(ours!)).toEqual(["tool"]);
});
