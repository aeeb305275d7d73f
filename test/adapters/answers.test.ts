import { AIMessage, HumanMessage, type ToolMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { Command, type Interrupt, MemorySaver } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { convertToModelMessages, generateText, type UIMessage } from "ai";
import { toAiSdkTools, toMastraTools } from "../../src/adapters/ai-sdk/index.js";
import { type ConfirmationRequest, toLangChainTools } from "../../src/adapters/langchain/index.js";
import { toOpenAiAgentsTools } from "../../src/adapters/openai-agents/index.js";
import { answer, approve, type Decision, deny } from "../../src/confirmation/index.js";
import { ToolDefinitionError } from "../../src/tool/index.js";
import { AskUserTool } from "../../src/tools/index.js";
import { aiSdkModel } from "./frameworks.js";

describe("in a LangGraph agent, a tool that the client answers", () => {
  async function resumedWith(decide: (request: ConfirmationRequest) => Decision) {
    const llm = fakeModel()
      .respondWithTools([{ id: "call_1", name: "ask_user", args: { question: "Which colour?" } }])
      .respond(new AIMessage("done"));
    const agent = createReactAgent({ llm, tools: toLangChainTools([AskUserTool]), checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "1" } };
    const read = (state: unknown) => {
      const { messages, __interrupt__: asked = [] } = state as { messages: unknown[]; __interrupt__?: Interrupt<ConfirmationRequest>[] };
      return { asked, texts: (messages as ToolMessage[]).filter((message) => message.getType() === "tool").map(({ text }) => text) };
    };
    const begun = read(await agent.invoke({ messages: [new HumanMessage("go")] }, config));
    const request = begun.asked[0]!.value!;
    return { request, ...read(await agent.invoke(new Command({ resume: decide(request) }), config)) };
  }

  it("pauses the graph with the schema of the answer, which is the result", async () => {
    const { request, texts } = await resumedWith((asked) => answer(asked, "Blue"));
    expect(request).toMatchObject({ tool: "ask_user", answeredBy: "client", answerSchema: { type: "string" } });
    expect(texts).toEqual(["Blue"]);
  });

  it("asks again for an answer that doesn't fit, and for an approval", async () => {
    expect((await resumedWith((asked) => answer(asked, 7))).asked[0]?.value?.problem).toContain("the answer must be a string");
    expect((await resumedWith(approve)).asked[0]?.value?.problem).toContain("waits for an answer");
  });

  it("reports to the model that the person declined", async () => {
    expect((await resumedWith((asked) => deny(asked))).texts[0]).toContain("the person declined to answer");
  });
});

describe("for the AI SDK, a tool that the client answers", () => {
  const tools = toAiSdkTools([AskUserTool]);

  it("has no execute: the call ends the step without a result", async () => {
    expect("execute" in tools.ask_user!).toBe(false);
    const call = { id: "call_1", name: "ask_user", arguments: { question: "Which colour?" } };
    const { content } = await generateText({ model: aiSdkModel([call]), prompt: "Ask", tools });
    expect(content.map(({ type }) => type)).toEqual(["tool-call"]);
  });

  it.each([
    ["that fits is what the model reads", "Blue", "Blue"],
    ["that doesn't fit isn't read by the model", { html: "<b>" }, "Not answered: the client gave an answer that doesn't fit"],
  ])("an output of the page %s", async (_, output, expected) => {
    const part = { type: "tool-ask_user", toolCallId: "call_1", state: "output-available", input: { question: "?" }, output };
    const messages = [{ id: "1", role: "assistant", parts: [part] }] as unknown as UIMessage[];
    const [, result] = await convertToModelMessages(messages, { tools });
    expect(JSON.stringify(result)).toContain(expected);
  });
});

it.each([
  ["toOpenAiAgentsTools", toOpenAiAgentsTools],
  ["toMastraTools", toMastraTools],
])("%s rejects a tool that the client answers, and names it", (name, convert) => {
  expect(() => convert([AskUserTool])).toThrow(ToolDefinitionError);
  expect(() => convert([AskUserTool])).toThrow(`${name}: AskUserTool is answered by the client`);
});
