import { AbstractChat, type ChatState, DefaultChatTransport, type UIMessage } from "ai";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { MemoryConversationStore } from "../../src/storage/index.js";
import { agentHandler, MemoryRunStateStore, toNodeHandler } from "../../src/web/index.js";
import { type ChatModel, noUsage, ScriptedModel } from "../../src/models/index.js";
import { callOf, closeServers, framesIn, happened, postJson, RefundTool, serve, WaitTool, WeatherTool } from "./support.js";
import { until } from "../support/until.js";

afterAll(closeServers);
beforeEach(() => happened.splice(0));

/** `useChat` without React, with the SDK's own transport. */
class Chat extends AbstractChat<UIMessage> {
  constructor(api: string, id = "chat-1") {
    const state: ChatState<UIMessage> = {
      status: "ready",
      error: undefined,
      messages: [],
      pushMessage: (message) => void (state.messages = [...state.messages, message]),
      popMessage: () => void (state.messages = state.messages.slice(0, -1)),
      replaceMessage: (index, message) => void (state.messages = state.messages.with(index, message)),
      snapshot: (value) => structuredClone(value),
    };
    super({ id, state, transport: new DefaultChatTransport({ api }) });
  }

  get texts() {
    return this.messages.map(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(""));
  }
}

/** A server that keeps conversations; `history` is what it has of one. */
async function serverWith(source: ChatModel) {
  @model(source, { retries: 0 })
  @usesTools([WeatherTool, RefundTool, WaitTool])
  class ShopAgent extends Agent {}

  const store = new MemoryConversationStore();
  const pausedRuns = { store: new MemoryRunStateStore(), authorise: () => true };
  const url = await serve(
    toNodeHandler(
      agentHandler({
        format: "ui",
        agent: (_request, body) => new ShopAgent().load(store, String(body.id)),
        onFinish: ({ agent, body }) => agent.save(store, String(body.id)),
        pausedRuns,
      }),
    ),
  );
  const history = (id = "chat-1") => (store.load(id)?.messages ?? []).map(({ role, content }) => `${role}: ${String(content)}`);
  return { url, store, history, pausedRuns };
}

const echo: ChatModel = {
  id: "test/echo",
  generate: ({ messages }) => {
    const questions = messages.filter(({ role }) => role === "user").map(({ content }) => content);
    calls += 1;
    return Promise.resolve({ text: `${calls}: ${questions.join(", ")}`, toolCalls: [], finishReason: "stop", usage: noUsage });
  },
};
let calls = 0;
beforeEach(() => {
  calls = 0;
});

const user = (id: string, text: string) => ({ id, role: "user", parts: [{ type: "text", text }] });

describe("what useChat posts, and the history of the server", () => {
  it("answers the last question anew", async () => {
    const { url, history } = await serverWith(echo);
    const chat = new Chat(url);
    await chat.sendMessage({ text: "one" });
    await chat.regenerate();
    expect(history()).toEqual(["user: one", "assistant: 2: one"]);
    expect(chat.texts).toEqual(["one", "2: one"]);
  });

  it("answers an earlier question anew, and drops what followed it", async () => {
    const { url, history } = await serverWith(echo);
    const chat = new Chat(url);
    for (const text of ["one", "two", "three"]) await chat.sendMessage({ text });
    await chat.regenerate({ messageId: chat.messages[3]!.id });
    expect(history()).toEqual(["user: one", "assistant: 1: one", "user: two", "assistant: 4: one, two"]);
    await chat.regenerate({ messageId: chat.messages[0]!.id });
    expect(history()).toEqual(["user: one", "assistant: 5: one"]);
  });

  it("replaces a message that the user edited", async () => {
    const { url, history } = await serverWith(echo);
    const chat = new Chat(url);
    await chat.sendMessage({ text: "one" });
    await chat.sendMessage({ text: "two" });
    await chat.sendMessage({ text: "zwei", messageId: chat.messages[2]!.id });
    expect(history()).toEqual(["user: one", "assistant: 1: one", "user: zwei", "assistant: 3: one, zwei"]);
    await chat.sendMessage({ text: "eins", messageId: chat.messages[0]!.id });
    expect(history()).toEqual(["user: eins", "assistant: 4: eins"]);
  });

  it("drops what the page removed before it asked on", async () => {
    const { url, history } = await serverWith(echo);
    const chat = new Chat(url);
    for (const text of ["one", "two"]) await chat.sendMessage({ text });
    chat.messages = chat.messages.slice(0, 2);
    await chat.sendMessage({ text: "three" });
    expect(history()).toEqual(["user: one", "assistant: 1: one", "user: three", "assistant: 3: one, three"]);
  });

  it("keeps the history of a page that posts only its last message", async () => {
    const { url, history } = await serverWith(echo);
    for (const [id, text] of [
      ["m1", "one"],
      ["m2", "two"],
    ] as const) {
      await (await postJson(url, { id: "chat-1", trigger: "submit-message", messages: [user(id, text)] })).text();
    }
    expect(history()).toEqual(["user: one", "assistant: 1: one", "user: two", "assistant: 2: one, two"]);
  });

  it("sends the answer of a repeated request again, and asks the model once", async () => {
    const { url, history } = await serverWith(echo);
    const body = { id: "chat-1", trigger: "submit-message", messages: [user("m1", "one")] };
    const first = framesIn((await (await postJson(url, body)).text()).replace("data: [DONE]\n\n", ""));
    const second = framesIn((await (await postJson(url, body)).text()).replace("data: [DONE]\n\n", ""));
    const textOf = (frames: typeof first) => frames.map(({ data }) => data.delta ?? "").join("");
    expect([textOf(first), textOf(second)]).toEqual(["1: one", "1: one"]);
    expect(history()).toEqual(["user: one", "assistant: 1: one"]);
  });

  it("doesn't lose what came later, if an old request is repeated", async () => {
    const { url, history } = await serverWith(echo);
    const first = { id: "chat-1", messages: [user("m1", "one")] };
    for (const body of [first, { id: "chat-1", messages: [user("m2", "two")] }, first]) await (await postJson(url, body)).text();
    expect(history()).toEqual(["user: one", "assistant: 1: one", "user: two", "assistant: 2: one, two"]);
  });

  it("answers a repeated request after a call without making the call again", async () => {
    const script = new ScriptedModel([{ toolCalls: [callOf("weather", { city: "Paris" })] }, "Sunny.", "Never."]);
    const { url, history } = await serverWith(script);
    const body = { id: "chat-1", messages: [user("m1", "Weather?")] };
    await (await postJson(url, body)).text();
    const again = await (await postJson(url, body)).text();
    expect(again).toContain('"toolName":"weather"');
    expect(again).toContain("Sunny.");
    expect(script.requests).toHaveLength(2);
    expect(history()).toHaveLength(4);
  });

  it("goes on with the run of a repeated request that was aborted", async () => {
    const script = new ScriptedModel([{ toolCalls: [callOf("weather", { city: "Paris" }), callOf("wait")] }, "Sunny."]);
    const { url, history } = await serverWith(script);
    const body = { id: "chat-1", messages: [user("m1", "Weather?")] };
    const leaving = new AbortController();
    const response = await postJson(url, body, { signal: leaving.signal });
    await until(() => happened.includes("waiting"));
    leaving.abort();
    await response.text().catch(() => undefined);
    const again = await (await postJson(url, body)).text();
    expect(again).toContain("Sunny.");
    expect(history().filter((line) => line.startsWith("user"))).toEqual(["user: Weather?"]);
    expect(script.requests).toHaveLength(2);
  });

  it("asks the person again if the request that waits is repeated", async () => {
    const script = new ScriptedModel([{ toolCalls: [callOf("refund", { order: "A-17" })] }, "Done."]);
    const { url, history, pausedRuns } = await serverWith(script);
    const body = { id: "chat-1", messages: [user("m1", "Refund")] };
    const first = await (await postJson(url, body)).text();
    const again = await (await postJson(url, body)).text();
    const approvalId = /"approvalId":"([^"]*)"/.exec(first)?.[1];
    expect(/"approvalId":"([^"]*)"/.exec(again)?.[1]).toBe(approvalId);
    const part = { type: "tool-refund", toolCallId: "call_1", state: "approval-responded", approval: { id: approvalId, approved: true } };
    const callId = /"toolCallId":"([^"]*)","approvalId"/.exec(again)?.[1];
    const answered = { id: "a1", role: "assistant", parts: [{ ...part, toolCallId: callId }] };
    await (await postJson(url, { id: "chat-1", messages: [...body.messages, answered] })).text();
    expect(happened).toEqual(["refunded A-17"]);
    expect(history().filter((line) => line.startsWith("user"))).toEqual(["user: Refund"]);
    expect(pausedRuns.store.load(approvalId!.split(".")[0]!)).toBeUndefined();
  });

  it("gives up the calls that wait in an answer that is made anew", async () => {
    const script = new ScriptedModel([{ toolCalls: [callOf("refund", { order: "A-17" })] }, "Not now."]);
    const { url, history } = await serverWith(script);
    const messages = [user("m1", "Refund")];
    const first = await (await postJson(url, { id: "chat-1", messages })).text();
    await (await postJson(url, { id: "chat-1", trigger: "regenerate-message", messages })).text();
    expect(history()).toEqual(["user: Refund", "assistant: Not now."]);
    const approval = { id: /"approvalId":"([^"]*)"/.exec(first)?.[1], approved: true };
    const toolCallId = /"toolCallId":"([^"]*)","approvalId"/.exec(first)?.[1];
    const part = { type: "tool-refund", toolCallId, state: "approval-responded", approval };
    expect((await postJson(url, { id: "chat-1", messages: [...messages, { role: "assistant", parts: [part] }] })).status).toBe(404);
    expect(happened).toEqual([]);
  });

  it.each([
    ["edited", { trigger: "submit-message", messageId: "m9" }],
    ["regenerated", { trigger: "regenerate-message" }],
  ])("answers 404 for an %s message that the conversation doesn't have", async (_name, members) => {
    const { url, history } = await serverWith(echo);
    await (await postJson(url, { id: "chat-1", messages: [user("m1", "one")] })).text();
    await (await postJson(url, { id: "chat-2", messages: [user("m9", "nine")] })).text();
    const response = await postJson(url, { id: "chat-1", ...members, messages: [user("m9", "nine")] });
    expect(response.status).toBe(404);
    expect(((await response.json()) as { error: string }).error).toBe(
      "This conversation doesn't have the message: load the conversation again.",
    );
    expect(history()).toEqual(["user: one", "assistant: 1: one"]);
    expect(history("chat-2")).toEqual(["user: nine", "assistant: 2: nine"]);
  });

  it("asks a message that never reached the server, if the page regenerates it", async () => {
    const { url, history } = await serverWith(echo);
    const messages = [user("m1", "one")];
    await (await postJson(url, { id: "chat-1", messages })).text();
    const posted = [...messages, { id: "a1", role: "assistant", parts: [] }, user("m2", "two")];
    await (await postJson(url, { id: "chat-1", trigger: "regenerate-message", messages: posted })).text();
    expect(history()).toEqual(["user: one", "assistant: 1: one", "user: two", "assistant: 2: one, two"]);
  });

  it("takes regenerate for a history that was stored without ids", async () => {
    const { url, history, store } = await serverWith(echo);
    store.save("chat-1", {
      version: 1,
      messages: [
        { role: "user", content: "one" },
        { role: "assistant", content: "Old." },
      ],
    });
    await (await postJson(url, { id: "chat-1", trigger: "regenerate-message", messages: [user("m1", "one")] })).text();
    expect(history()).toEqual(["user: one", "assistant: 1: one"]);
  });

  it("answers requests for one conversation one after another, and loses none", async () => {
    const { url, history } = await serverWith(echo);
    const post = async (id: string) => (await postJson(url, { id: "chat-1", messages: [user(id, id)] })).text();
    await Promise.all(["m1", "m2", "m3", "m1"].map(post));
    expect(
      history()
        .filter((line) => line.startsWith("user"))
        .sort(),
    ).toEqual(["user: m1", "user: m2", "user: m3"]);
    expect(history()).toHaveLength(6);
    expect(calls).toBe(3);
  });
});

describe("an answer that breaks off", () => {
  /** Says a word and waits for its abort; then answers. */
  const breaking = (): ChatModel => {
    let asked = 0;
    return {
      id: "test/breaking",
      generate: async ({ messages, onDelta, abortSignal }) => {
        asked += 1;
        if (asked > 1)
          return { text: messages.map(({ content }) => content).join("|"), toolCalls: [], finishReason: "stop", usage: noUsage };
        onDelta?.({ type: "text", text: "It is sun" });
        happened.push("said");
        return new Promise((_resolve, reject) => abortSignal?.addEventListener("abort", () => reject(abortSignal.reason)));
      },
    };
  };

  it("stands in the history when the page stops it, and the next question follows it", async () => {
    const { url, history } = await serverWith(breaking());
    const chat = new Chat(url);
    const sending = chat.sendMessage({ text: "Weather?" });
    await until(() => chat.texts.at(-1) === "It is sun");
    await chat.stop();
    await sending;
    await until(() => history().length > 0);
    expect(history()).toEqual(["user: Weather?", "assistant: It is sun"]);
    await chat.sendMessage({ text: "And?" });
    expect(chat.texts.at(-1)).toBe("Weather?|It is sun|And?");
  });

  it("is given anew to the same request: nothing of it is in the prompt", async () => {
    const { url, history } = await serverWith(breaking());
    const body = { id: "chat-1", messages: [user("m1", "Weather?")] };
    const leaving = new AbortController();
    const response = await postJson(url, body, { signal: leaving.signal });
    await until(() => happened.includes("said"));
    leaving.abort();
    await response.text().catch(() => undefined);
    await (await postJson(url, body)).text();
    expect(history()).toEqual(["user: Weather?", "assistant: Weather?"]);
  });
});
