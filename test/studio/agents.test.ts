import type { Studio } from "../../src/studio/index.js";
import { access, Agent, description, identifier, model, Tool, usesTools } from "../../src/index.js";
import { RefundTool, WeatherTool } from "../cli/fixtures/shop.js";
import { ask, openStudio } from "./studio.js";

@identifier("sales")
@description("Reports sales. Use when a manager asks.")
@access({ roles: ["manager"] })
class SalesTool extends Tool {
  call() {
    return 5;
  }
}

@identifier("staff_agent")
@model("embedded/keyword")
@usesTools(({ userId }) => (userId === undefined ? [WeatherTool, SalesTool] : [WeatherTool, SalesTool, RefundTool]))
class StaffAgent extends Agent {}

@identifier("broken_agent")
@model("embedded/keyword")
class BrokenAgent extends Agent {
  override tools(): never {
    throw new Error("The account service is down: password=hunter2.");
  }
}

let studio: Studio;
beforeAll(async () => {
  const agents = [StaffAgent, BrokenAgent].map((agent) => ({
    agent,
    module: "staff.ts",
    choosesTools: true,
    make: async () => new agent(),
  }));
  studio = await openStudio({ agents });
});
afterAll(() => studio.close());

const newChat = async (): Promise<string> => (await ask(studio, "/api/agents/staff_agent/chats", {})).json.chat as string;
const say = async (chat: string, prompt: string) =>
  (await ask(studio, `/api/chats/${chat}/messages`, { prompt, context: { userId: "7" } })).events.map(({ event }) => event);

it("shows which tools an agent gives to a context", async () => {
  const toolsFor = async (context: object) => (await ask(studio, "/api/agents/staff_agent/tools", { context })).json.tools;
  expect(await toolsFor({})).toMatchObject([
    { name: "get_weather", permitted: true },
    { name: "sales", permitted: false },
  ]);
  expect(await toolsFor({ userId: "7", roles: ["manager"] })).toMatchObject([
    { name: "get_weather", permitted: true },
    { name: "sales", permitted: true },
    { name: "refund", permitted: true },
  ]);
});

it("says what a context lacks for a tool, and what is nearly right in it", async () => {
  const lackWith = async (roles: unknown) =>
    (await ask(studio, "/api/agents/staff_agent/tools", { context: { roles } })).json.tools.find((tool: any) => tool.name === "sales").lack;
  const lack = 'It requires "manager" in toolContext.roles.';
  expect(await lackWith(["clerk"])).toBe(lack);
  expect(await lackWith(["Manager"])).toBe(`${lack} The context has "Manager": write "manager" exactly.`);
  expect(await lackWith("manager")).toBe(`${lack} toolContext.roles must be an array of strings.`);
  expect(await lackWith(["manager"])).toBeUndefined();
});

it("streams a chat, with the time that models and tools took", async () => {
  const events = await say(await newChat(), 'What is the weather in "Paris"?');
  const types = events.map(({ type }) => type);
  expect(types).toEqual(
    expect.arrayContaining(["model_started", "model_finished", "tool_started", "call_finished", "tool_result", "text_delta", "done"]),
  );
  expect(events.find(({ type }) => type === "model_started")).toMatchObject({ step: 1, tools: ["get_weather", "refund"] });
  expect(events.find(({ type }) => type === "call_finished")).toMatchObject({ duration: expect.any(Number) });
  expect(events.at(-1)).toMatchObject({ type: "done", reason: "success" });
});

it("goes on with decisions about the calls that wait", async () => {
  const chat = await newChat();
  const asked = await say(chat, 'Refund the order "A-17"');
  const { waiting } = asked.find(({ type }) => type === "confirmation_required");
  expect(waiting).toMatchObject({ tool: "refund", arguments: [{ name: "order", text: '"A-17"' }] });
  const decisions = [{ decision: "approve", callId: waiting.callId, confirmationId: waiting.id }];
  const { events } = await ask(studio, `/api/chats/${chat}/decisions`, { decisions, context: { userId: "7" } });
  expect(events.map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ type: "tool_result", content: "Refunded A-17 for 7." }),
  );
});

it("rejects a decision about something else than what was shown", async () => {
  const chat = await newChat();
  const asked = await say(chat, 'Refund the order "A-17"');
  const { waiting } = asked.find(({ type }) => type === "confirmation_required");
  const decisions = [{ decision: "approve", callId: waiting.callId, confirmationId: "other" }];
  const { events } = await ask(studio, `/api/chats/${chat}/decisions`, { decisions, context: {} });
  expect(JSON.stringify(events)).toContain("DecisionError");
  expect(JSON.stringify(events)).not.toContain("Refunded");
});

it("shows the prefix of a chat", async () => {
  const chat = await newChat();
  expect((await ask(studio, `/api/chats/${chat}/prefix`)).json).toEqual({ prefix: null });
  await say(chat, 'What is the weather in "Paris"?');
  expect((await ask(studio, `/api/chats/${chat}/prefix`)).json.prefix).toMatchObject({
    tools: [{ name: "get_weather" }, { name: "refund" }],
  });
});

it("says that a chat of an earlier studio is gone", async () => {
  const { status, json } = await ask(studio, "/api/chats/none/messages", { prompt: "Hello" });
  expect(status).toBe(404);
  expect(json.error).toContain("There is no such chat");
});

it("shows once, without secrets, what the application's own functions throw", async () => {
  const { chat } = (await ask(studio, "/api/agents/broken_agent/chats", {})).json;
  const { events } = await ask(studio, `/api/chats/${chat}/messages`, { prompt: "Hello" });
  expect(events.map(({ event }) => event)).toEqual([
    { type: "run_began", runId: `${chat}/1` },
    { type: "error", message: "Error: The account service is down: password=[redacted]" },
  ]);
  const { json } = await ask(studio, "/api/agents/broken_agent/tools", {});
  expect(json.error).toBe("Error: The account service is down: password=[redacted]");
});
