import { AbstractChat, type ChatState, DefaultChatTransport, lastAssistantMessageIsCompleteWithToolCalls, type UIMessage } from "ai";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { answer, deny } from "../../src/confirmation/index.js";
import { InProcessRuntime } from "../../src/durable/index.js";
import { ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { MemoryStorage } from "../../src/storage/index.js";
import { description, identifier } from "../../src/tool/index.js";
import { AskUserTool } from "../../src/tools/index.js";
import { agentHandler, approvalResponses, decideHandler, MemoryRunStateStore, runHandler, toNodeHandler } from "../../src/web/index.js";
import { callOf, closeServers, happened, RefundTool, serve } from "./support.js";
import { until } from "../support/until.js";

afterAll(closeServers);
beforeEach(() => happened.splice(0));

const ask = callOf("ask_user", { question: "Which colour?" });

function shopOf(steps: readonly ScriptedStep[]) {
  const script = new ScriptedModel(steps);
  @model(script, { retries: 0 })
  @usesTools([AskUserTool, RefundTool])
  @identifier("shop")
  class ShopAgent extends Agent {}
  return { ShopAgent, script };
}

const request = (body: unknown): Request =>
  new Request("http://shop.example/chat", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

describe("agentHandler and decideHandler", () => {
  function handlersOf(...steps: readonly ScriptedStep[]) {
    const { ShopAgent } = shopOf(steps);
    const pausedRuns = { store: new MemoryRunStateStore(), authorise: () => true };
    const settings = { agent: () => new ShopAgent(), format: "json", pausedRuns } as const;
    return { chat: agentHandler(settings), decide: decideHandler(settings) };
  }

  it("give the questions, and go on with the answer", async () => {
    const { chat, decide } = handlersOf({ toolCalls: [ask] }, "Blue it is.");
    const paused = (await (await chat(request({ prompt: "Hi" }))).json()) as any;
    expect(paused).toMatchObject({ outcome: { reason: "awaiting_answer", detail: "The run waits for an answer." } });
    expect(paused.questions).toMatchObject([{ tool: "ask_user", answerSchema: { type: "string" } }]);
    const response = await decide(request({ runId: paused.runId, decisions: [answer(paused.questions[0], "Blue")] }));
    expect(await response.json()).toMatchObject({ text: "Blue it is." });
  });

  it.each([
    ["a value that doesn't fit", 7, 400],
    ["no value", undefined, 400],
  ])("answer %s with a status, and wait on", async (_, value, status) => {
    const { chat, decide } = handlersOf({ toolCalls: [ask] }, "Blue it is.");
    const { runId } = (await (await chat(request({ prompt: "Hi" }))).json()) as any;
    expect((await decide(request({ runId, decisions: [{ callId: "call_1", decision: "answer", value }] }))).status).toBe(status);
    expect((await decide(request({ runId, decisions: [answer("call_1", "Blue")] }))).status).toBe(200);
  });

  it("answer an approval of a question with 400, and an answer after the first with 404 or 409", async () => {
    const { chat, decide } = handlersOf({ toolCalls: [ask] }, "Blue it is.");
    const { runId } = (await (await chat(request({ prompt: "Hi" }))).json()) as any;
    expect((await decide(request({ runId, decisions: [{ callId: "call_1", decision: "approve" }] }))).status).toBe(400);
    await decide(request({ runId, decisions: [answer("call_1", "Blue")] }));
    expect([404, 409]).toContain((await decide(request({ runId, decisions: [answer("call_1", "Red")] }))).status);
  });
});

/** `useChat` without React. */
class Chat extends AbstractChat<UIMessage> {
  constructor(api: string) {
    const state: ChatState<UIMessage> = {
      status: "ready",
      error: undefined,
      messages: [],
      pushMessage: (message) => void state.messages.push(message),
      popMessage: () => void state.messages.pop(),
      replaceMessage: (index, message) => void (state.messages[index] = message),
      snapshot: (value) => structuredClone(value),
    };
    super({
      id: "chat-1",
      state,
      transport: new DefaultChatTransport({ api }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    });
  }

  get toolParts() {
    return this.messages.flatMap(({ parts }) => parts.flatMap((part) => ("toolCallId" in part ? [part] : [])));
  }

  get text() {
    return this.messages
      .at(-1)
      ?.parts.flatMap((part) => (part.type === "text" ? [part.text] : []))
      .join("");
  }
}

async function chatWith(...steps: readonly ScriptedStep[]) {
  const { ShopAgent, script } = shopOf(steps);
  const pausedRuns = { store: new MemoryRunStateStore(), authorise: () => true };
  const url = await serve(toNodeHandler(agentHandler({ agent: () => new ShopAgent(), format: "ui", pausedRuns })));
  return { chat: new Chat(url), script };
}

describe("useChat with a tool that the page answers", () => {
  it("shows the call, and goes on by itself with its output", async () => {
    const { chat, script } = await chatWith({ toolCalls: [ask] }, "Blue it is.");
    await chat.sendMessage({ text: "Order a bike" });
    expect(chat.toolParts).toMatchObject([{ type: "tool-ask_user", state: "input-available", input: { question: "Which colour?" } }]);
    await chat.addToolOutput({ tool: "ask_user", toolCallId: chat.toolParts[0]!.toolCallId, output: "Blue" } as never);
    await until(() => chat.text === "Blue it is.");
    expect(chat.error).toBeUndefined();
    expect(chat.toolParts).toMatchObject([{ state: "output-available", output: "Blue" }]);
    expect(script.requests.at(-1)?.messages.at(-1)).toMatchObject({ role: "tool", content: "Blue" });
  });

  it("can ask several times in one run: earlier outputs are sent again and not used again", async () => {
    const { chat } = await chatWith({ toolCalls: [ask] }, { toolCalls: [ask] }, "Done.");
    await chat.sendMessage({ text: "Order a bike" });
    await chat.addToolOutput({ tool: "ask_user", toolCallId: chat.toolParts[0]!.toolCallId, output: "Blue" } as never);
    await until(() => chat.toolParts.length === 2 && chat.status === "ready");
    await chat.addToolOutput({ tool: "ask_user", toolCallId: chat.toolParts[1]!.toolCallId, output: "Red" } as never);
    await until(() => chat.text === "Done.");
    expect(chat.toolParts.map((part) => ("output" in part ? part.output : undefined))).toEqual(["Blue", "Red"]);
  });

  it("reports to the model that the page failed, and why", async () => {
    const { chat, script } = await chatWith({ toolCalls: [ask] }, "All right.");
    await chat.sendMessage({ text: "Order a bike" });
    const { toolCallId } = chat.toolParts[0]!;
    await chat.addToolOutput({ tool: "ask_user", toolCallId, state: "output-error", errorText: "The map is closed." } as never);
    await until(() => chat.text === "All right.");
    expect(script.requests.at(-1)?.messages.at(-1)?.content).toContain("The reason: The map is closed.");
  });

  it("answers the question of a sub-agent", async () => {
    @model(new ScriptedModel([{ toolCalls: [ask] }, "Blue."]))
    @description("Chooses a colour.")
    @usesTools([AskUserTool])
    class ColourAgent extends Agent {}
    @model(new ScriptedModel([{ toolCalls: [callOf("colour_agent", { prompt: "Choose." })] }, "Painted."]))
    @usesTools([ColourAgent])
    class PaintAgent extends Agent {}
    const pausedRuns = { store: new MemoryRunStateStore(), authorise: () => true };
    const url = await serve(toNodeHandler(agentHandler({ agent: () => new PaintAgent(), format: "ui", pausedRuns })));
    const chat = new Chat(url);
    await chat.sendMessage({ text: "Paint it" });
    const open = chat.toolParts.find(({ state }) => state === "input-available")!;
    expect(open.toolCallId).toBe("call_1/call_1");
    await chat.addToolOutput({ tool: "ask_user", toolCallId: open.toolCallId, output: "Blue" } as never);
    await until(() => chat.text === "Painted.");
    expect(chat.error).toBeUndefined();
    expect(chat.toolParts.find(({ toolCallId }) => toolCallId === "call_1/call_1")).toMatchObject({ output: "Blue" });
  });

  it("rejects an output whose question belongs to other arguments", async () => {
    const { ShopAgent } = shopOf([{ toolCalls: [ask] }, "Blue it is."]);
    const pausedRuns = { store: new MemoryRunStateStore(), authorise: () => true };
    const handler = agentHandler({ agent: () => new ShopAgent(), format: "ui", pausedRuns });
    const stream = await (
      await handler(request({ id: "c", messages: [{ id: "1", role: "user", parts: [{ type: "text", text: "Hi" }] }] }))
    ).text();
    const data = JSON.parse(/data: (\{"type":"data-question".*\})/.exec(stream)![1]!).data;
    const post = (id: string) =>
      handler(
        request({
          id: "c",
          messages: [
            {
              id: "2",
              role: "assistant",
              parts: [
                { type: "data-question", data: { ...data, id } },
                { type: "tool-ask_user", toolCallId: "call_1", state: "output-available", input: {}, output: "Blue" },
              ],
            },
          ],
        }),
      );
    expect((await post("0".repeat(64))).status).toBe(409);
    expect((await post(data.id)).status).toBe(200);
  });

  it("reads only outputs of calls that the message has a question for", () => {
    const body = (parts: unknown[]) => ({ id: "c", messages: [{ id: "2", role: "assistant", parts }] });
    const output = { type: "tool-ask_user", toolCallId: "call_1", state: "output-available", input: {}, output: "Blue" };
    const question = { type: "data-question", data: { runId: "run-1", callId: "call_1", id: "q" } };
    expect(approvalResponses(body([output]))).toBeUndefined();
    expect(approvalResponses(body([question, output]))).toEqual({
      runId: "run-1",
      decisions: [{ callId: "call_1", confirmationId: "q", decision: "answer", value: "Blue" }],
    });
  });
});

describe("a runtime", () => {
  const started = async (...steps: readonly ScriptedStep[]) => {
    const { ShopAgent } = shopOf(steps);
    const storage = new MemoryStorage();
    const runtime = new InProcessRuntime({ storage, agents: [ShopAgent] });
    await runtime.start("shop", "Order a bike", { runId: "run-1" });
    while ((await runtime.pending()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    return { runtime, storage };
  };

  it("lists the question, and takes the answer once", async () => {
    const { runtime } = await started({ toolCalls: [ask] }, "Blue it is.");
    const [item] = await runtime.pending();
    expect(item).toMatchObject({ kind: "question", callId: "call_1", question: { answerSchema: { type: "string" } } });
    await expect(runtime.decide("run-1", "call_1", answer("call_1", 7))).rejects.toMatchObject({ reason: "invalid_answer" });
    await runtime.decide("run-1", "call_1", answer(item!.question!, "Blue"));
    await expect(runtime.decide("run-1", "call_1", answer(item!.question!, "Red"))).rejects.toThrow();
    expect((await runtime.result("run-1")).text).toBe("Blue it is.");
    const events: string[] = [];
    for await (const { event } of runtime.events("run-1")) events.push(event.type);
    expect(events).toContain("answer_required");
    await runtime.drain();
  });

  it("goes on in another process with an answer that was recorded before the first ended", async () => {
    const { runtime, storage } = await started({ toolCalls: [ask] });
    await runtime.drain();
    await runtime.decide("run-1", "call_1", answer("call_1", "Blue"));
    const { ShopAgent, script } = shopOf(["Blue it is."]);
    const other = new InProcessRuntime({ storage, agents: [ShopAgent] });
    expect((await other.result("run-1")).text).toBe("Blue it is.");
    expect(script.requests[0]?.messages.at(-1)).toMatchObject({ role: "tool", content: "Blue" });
    await other.drain();
  });

  it("takes answers and denials over HTTP", async () => {
    const { runtime } = await started({ toolCalls: [ask, ask] }, "Done.");
    const handler = runHandler({ runtime, start: () => ({ agent: "shop" }), authorise: () => true });
    const post = (decisions: unknown) => handler(request({ runId: "run-1", decisions }));
    expect((await post([answer("call_1", 7)])).status).toBe(400);
    expect((await post([answer("call_1", "Blue"), deny("call_2")])).status).toBe(202);
    expect((await runtime.result("run-1")).text).toBe("Done.");
    await runtime.drain();
  });
});
