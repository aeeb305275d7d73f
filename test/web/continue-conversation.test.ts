import type { Message } from "../../src/models/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { MemoryConversationStore } from "../../src/storage/index.js";
import { type AgentHandlerOptions, agentHandler, MemoryRunStateStore, streamChat } from "../../src/web/index.js";
import { agentOf, callOf, happened } from "./support.js";

beforeEach(() => happened.splice(0));

const question: Message = { role: "user", content: "Weather in Paris?" };
const called: readonly Message[] = [
  question,
  { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "weather", arguments: '{"city":"Paris"}' }] },
  { role: "tool", toolCallId: "c1", toolName: "weather", content: "21 degrees" },
];
const answered: readonly Message[] = [...called, { role: "assistant", content: "Sunny." }];

function serving(history: readonly Message[], format: AgentHandlerOptions["format"]) {
  const script = new ScriptedModel(["It is sunny."]);
  const handler = agentHandler({ agent: () => agentOf(script).restore(history), format });
  return { script, post: (body: unknown) => handler(requestOf(body)) };
}

const requestOf = (body: unknown): Request =>
  new Request("http://shop.example/chat", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const page = {
  id: "chat-1",
  trigger: "submit-message",
  messages: [
    { id: "m1", role: "user", parts: [{ type: "text", text: "Weather in Paris?" }] },
    { id: "m2", role: "assistant", parts: [{ type: "text", text: "One moment." }] },
  ],
};

const fixes = { json: 'Send { "prompt": "..." }.', sse: 'Send { "prompt": "..." }.', ui: "Send a message of the user." };
const bodies = { json: {}, sse: {}, ui: page } as const;

describe.each(["json", "sse", "ui"] as const)("a body without a prompt, in the format %s", (format) => {
  it.each([
    ["a user message", [question]],
    ["tool results", called],
  ])("continues a conversation that ends with %s", async (_, history) => {
    const { script, post } = serving(history, format);
    const response = await post(bodies[format]);
    expect(response.status).toBe(200);
    // The stream of the UI splits the text.
    expect((await response.text()).replaceAll(/[^A-Za-z]/g, "")).toMatch(/sunny/);
    expect(script.requests.map(({ messages }) => messages)).toMatchObject([history]);
  });

  it.each([
    ["is empty", []],
    ["ends with an answer", answered],
  ])("is answered with 400 if the conversation %s, and asks no model", async (state, history) => {
    const { script, post } = serving(history, format);
    const response = await post(bodies[format]);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: `There is nothing to continue: the conversation ${state}. ${fixes[format]}` });
    expect(script.requests).toHaveLength(0);
  });
});

it("a body without a prompt doesn't give up calls that wait for a person", async () => {
  const store = new MemoryConversationStore();
  const pausedRuns = { store: new MemoryRunStateStore(), authorise: () => true };
  const script = new ScriptedModel([{ toolCalls: [callOf("refund", { order: "A-17" })] }]);
  const handler = agentHandler({
    agent: () => agentOf(script).load(store, "chat-1"),
    format: "json",
    pausedRuns,
    onFinish: ({ agent }) => agent.save(store, "chat-1"),
  });
  const { runId } = (await (await handler(requestOf({ prompt: "Refund A-17." }))).json()) as { readonly runId: string };
  const response = await handler(requestOf({}));
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    error: "Calls of this conversation wait for a person: send the decisions, or a prompt, which gives the calls up.",
  });
  expect(await pausedRuns.store.load(runId)).toBeDefined();
});

it.each([null, "", " ", 7, []])("a prompt of %j is no missing one", async (prompt) => {
  const { post } = serving([question], "json");
  expect((await post({ prompt })).status).toBe(400);
});

it("streamChat rejects a page that ends with an answer if there is nothing to continue", () => {
  expect(() => streamChat(agentOf([]).restore(answered), page)).toThrow(
    expect.objectContaining({
      status: 400,
      message: "There is nothing to continue: the conversation ends with an answer. Send a message of the user.",
    }),
  );
});
