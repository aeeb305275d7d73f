import { Agent, category, createTool, identifier, instructions, model, required, Tool, usesTools, description } from "../../src/index.js";
import { InProcessRuntime } from "../../src/durable/index.js";
import { type ChatRequest, ScriptedModel } from "../../src/models/index.js";
import { MemoryStorage } from "../../src/storage/index.js";
import type { Studio } from "../../src/studio/index.js";
import { ask, openStudio } from "./studio.js";

const lookedUp: string[] = [];

@identifier("look_up")
@description("Looks up an order.")
@category("read")
class LookUpTool extends Tool {
  @required(String) order!: string;

  call() {
    lookedUp.push(this.order);
    return `Order ${this.order} is on its way.`;
  }
}

const lookUp = (order: string) => ({ toolCalls: [{ name: "look_up", arguments: { order } }] });

/** Looks up the order that its instructions name, then answers. */
const answerTo = ({ messages }: ChatRequest) => {
  const order = /order ([A-Z]-\d)/.exec(JSON.stringify(messages))?.[1] ?? "A-1";
  return messages.at(-1)?.role === "tool" ? `Looked up ${order}.` : lookUp(order);
};

@identifier("clerk")
@model(new ScriptedModel(Array.from({ length: 40 }, () => answerTo)))
@instructions("You work in a shop.")
@usesTools([LookUpTool])
class ClerkAgent extends Agent {}

const payTool = createTool({
  ...{ name: "pay", description: "Pays.", inputSchema: { type: "object" }, requiresConfirmation: true },
  execute: () => "Paid.",
});

@identifier("payer")
@model(new ScriptedModel([{ toolCalls: [{ name: "pay" }] }, "Done."]))
@usesTools([payTool])
class PayerAgent extends Agent {}

const agents = [ClerkAgent, PayerAgent].map((agent) => ({ agent, module: "clerk.ts", choosesTools: false, make: async () => new agent() }));
const storage = new MemoryStorage();
let studio: Studio;
beforeAll(async () => {
  const runtime = new InProcessRuntime({ storage, agents: [ClerkAgent] });
  await runtime.start(ClerkAgent, "Where is it?", { runId: "run/7", context: { userId: "42" } });
  await runtime.result("run/7");
  studio = await openStudio({ storage, agents });
});
afterAll(() => studio.close());
beforeEach(() => lookedUp.splice(0));

const run = "/api/runs/run%2F7";
const eventsOf = async (chat: string, path: string, body: object) =>
  (await ask(studio, `/api/chats/${chat}/${path}`, body)).events.map(({ event }) => event);
const replayOf = async (path: string, body: object): Promise<string> => (await ask(studio, `${path}/replays`, body)).json.chat;

it("shows the steps of a run of the storage, with its context", async () => {
  expect((await ask(studio, `${run}/steps`)).json).toMatchObject({
    ...{ runId: "run/7", agent: "clerk", context: { userId: "42" } },
    steps: [
      { step: 1, calls: [{ tool: "look_up", state: "answered", result: { content: "Order A-1 is on its way." } }] },
      { step: 2, text: "Looked up A-1.", calls: [] },
    ],
  });
});

it("answers the calls of a replay from the record, and keeps it out of the storage", async () => {
  const before = await storage.journals.list();
  const events = await eventsOf(await replayOf(run, { step: 1 }), "messages", { context: {} });
  expect(events).toContainEqual(expect.objectContaining({ type: "tool_result", content: "Order A-1 is on its way.", fromRecord: true }));
  expect(events.at(-1)).toMatchObject({ type: "done", reason: "success" });
  expect(lookedUp).toEqual([]);
  expect(await storage.journals.list()).toEqual(before);
});

it("asks about a call that other instructions lead to, and carries out the decision", async () => {
  const replay = () => replayOf(run, { step: 1, instructions: "Look up order B-2." });
  const chat = await replay();
  const asked = (await eventsOf(chat, "messages", { context: {} })).find(({ type }) => type === "confirmation_required");
  expect(asked.waiting).toMatchObject({ tool: "look_up", input: { order: "B-2" } });
  expect(lookedUp).toEqual([]);
  const { id: confirmationId, callId } = asked.waiting;
  const events = await eventsOf(chat, "decisions", { decisions: [{ decision: "approve", callId, confirmationId }], context: {} });
  expect(events.at(-1)).toMatchObject({ type: "done", reason: "success" });
  expect(lookedUp).toEqual(["B-2"]);

  const other = await replay();
  const again = (await eventsOf(other, "messages", { context: {} })).find(({ type }) => type === "confirmation_required");
  const denial = { decision: "deny", reason: "Not now", callId: again.waiting.callId, confirmationId: again.waiting.id };
  const denied = await eventsOf(other, "decisions", { decisions: [denial], context: {} });
  expect(denied).toContainEqual(expect.objectContaining({ type: "tool_result", errorType: "confirmation_denied" }));
  expect(lookedUp).toEqual(["B-2"]);
});

it("replays runs of chats, and replays", async () => {
  const { chat } = (await ask(studio, "/api/agents/clerk/chats", {})).json;
  const [began] = await eventsOf(chat, "messages", { prompt: "Where is order C-3?", context: {} });
  expect(began).toEqual({ type: "run_began", runId: `${chat}/1` });
  lookedUp.splice(0);
  const replay = await replayOf(`/api/runs/${encodeURIComponent(began.runId)}`, { step: 1 });
  const [second, ...events] = await eventsOf(replay, "messages", { context: {} });
  expect(events).toContainEqual(expect.objectContaining({ type: "tool_result", tool: "look_up", fromRecord: true }));
  const third = await replayOf(`/api/runs/${encodeURIComponent(second.runId)}`, { step: 2 });
  expect((await eventsOf(third, "messages", { context: {} })).at(-1)).toMatchObject({ type: "done", reason: "success" });
  expect(lookedUp).toEqual([]);
});

it("takes chats with a call that waits, and their records, to the studio that comes next, and no replays", async () => {
  const { chat } = (await ask(studio, "/api/agents/payer/chats", {})).json;
  const events = await eventsOf(chat, "messages", { prompt: "Pay.", context: {} });
  const { waiting } = events.find(({ type }) => type === "confirmation_required");
  const replay = await replayOf(run, { step: 1 });
  const kept = JSON.parse(JSON.stringify(await studio.keep()));
  const next = await openStudio({ storage, agents, kept: { ...kept, port: 0 } });
  try {
    expect((await ask(next, `/api/runs/${encodeURIComponent(events[0].runId)}/steps`)).json.steps[0].calls).toMatchObject([
      { tool: "pay" },
    ]);
    const decisions = [{ decision: "approve", callId: waiting.callId, confirmationId: waiting.id }];
    const answered = await ask(next, `/api/chats/${chat}/decisions`, { decisions, context: {} });
    expect(answered.events.map(({ event }) => event)).toContainEqual(expect.objectContaining({ type: "tool_result", content: "Paid." }));
    expect((await ask(next, `/api/chats/${replay}/messages`, { context: {} })).status).toBe(404);
  } finally {
    await next.close();
  }
});

it("talks to an agent with another model", async () => {
  const { chat } = (await ask(studio, "/api/agents/clerk/chats", { model: "embedded/keyword" })).json;
  const events = await eventsOf(chat, "messages", { prompt: 'Look up the order "D-4"', context: {} });
  expect(events.find(({ type }) => type === "model_started")).toMatchObject({ model: "embedded/keyword" });
  expect(lookedUp).toEqual(["D-4"]);
});

it("says why a model can't be made, for a chat and for a replay", async () => {
  for (const path of ["/api/agents/clerk/chats", `${run}/replays`]) {
    const { status, json } = await ask(studio, path, { step: 1, model: "gpt-5" });
    expect(status).toBe(400);
    expect(json.error).toContain('Model "gpt-5" is not known. Write provider/model, such as "openai/gpt-5-mini"');
  }
});

it("names the steps that there are, runs that don't exist, and agents that the studio doesn't have", async () => {
  expect((await ask(studio, `${run}/replays`, { step: 9 })).json.error).toContain("has no step 9. Pass a step from 1 to 2.");
  expect((await ask(studio, `${run}/replays`, { step: "1" })).status).toBe(400);
  expect((await ask(studio, "/api/runs/none/replays", { step: 1 })).status).toBe(404);
  expect((await ask(studio, "/api/runs/none/steps")).json.error).toContain('There is no run "none"');
  const other = await openStudio({ storage });
  const { status, json } = await ask(other, `${run}/replays`, { step: 1 });
  await other.close();
  expect(status).toBe(409);
  expect(json.error).toContain('The studio has no agent "clerk", which began the run.');
});
