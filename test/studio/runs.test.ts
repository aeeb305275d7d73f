import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, identifier, model, usesTools } from "../../src/index.js";
import { InProcessRuntime } from "../../src/durable/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { FileStorage, MemoryStorage } from "../../src/storage/index.js";
import type { Studio } from "../../src/studio/index.js";
import { RefundTool } from "../cli/fixtures/shop.js";
import { ask, openStudio } from "./studio.js";

/** An agent that refunds one order. */
function shopFor(order: string) {
  @identifier("shop")
  @model(new ScriptedModel([{ toolCalls: [{ id: "call_1", name: "refund", arguments: { order } }] }, { text: "Done." }]))
  @usesTools([RefundTool])
  class ShopAgent extends Agent {}
  return ShopAgent;
}

const ShopAgent = shopFor("A-17");
const storage = new MemoryStorage();
const runtime = new InProcessRuntime({ storage, agents: [ShopAgent] });
let studio: Studio;
beforeAll(async () => {
  await runtime.start(ShopAgent, "Refund A-17", { runId: "order 7/a", context: { userId: "42" } });
  for await (const { event } of runtime.events("order 7/a")) if (event.type === "confirmation_required") break;
  studio = await openStudio({ storage, runtime, decidedBy: "ada" });
});
afterAll(() => studio.close());

const run = "/api/runs/order%207%2Fa";

it("lists the runs of a storage, and what waits in them", async () => {
  expect((await ask(studio, "/api/runs")).json.runs).toMatchObject([{ runId: "order 7/a", agent: "shop", status: "waiting" }]);
  expect((await ask(studio, "/api/inbox")).json.waiting).toMatchObject([{ runId: "order 7/a", tool: "refund", kind: "confirmation" }]);
  expect((await ask(studio, run)).json).toMatchObject({ status: "waiting", context: { userId: "42" }, waiting: [{ callId: "call_1" }] });
});

it("rejects a decision about another confirmation", async () => {
  const { status, json } = await ask(studio, `${run}/decisions`, {
    decisions: [{ decision: "approve", callId: "call_1", confirmationId: "other" }],
  });
  expect(status).toBe(409);
  expect(json.error).toContain("DecisionError");
});

it("decides about a run, and follows it to its end", async () => {
  const [waiting] = (await ask(studio, run)).json.waiting;
  const following = ask(studio, `${run}/events`);
  const decisions = [{ decision: "approve", callId: waiting.callId, confirmationId: waiting.id }];
  expect((await ask(studio, `${run}/decisions`, { decisions })).status).toBe(200);
  const { events } = await following;
  expect(events[0].event).toEqual({ type: "user", text: "Refund A-17" });
  expect(events.map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ type: "tool_result", content: "Refunded A-17 for 42." }),
  );
  expect(events.at(-1).event).toMatchObject({ type: "done", reason: "success" });
  expect((await ask(studio, run)).json).toMatchObject({ status: "ended", outcome: { reason: "success" }, waiting: [] });
});

it("shows who decided, and how long calls and waits took", async () => {
  const decided = [{ callId: "call_1", tool: "refund", decision: "approve", decidedBy: "ada", decidedAt: expect.any(Number) }];
  expect((await ask(studio, run)).json.decided).toMatchObject(decided);
  expect((await ask(studio, "/api/inbox")).json).toMatchObject({ waiting: [], decided: [{ runId: "order 7/a", decidedBy: "ada" }] });
  const { events } = await ask(studio, `${run}/events`);
  for (const type of ["user", "usage", "decided", "tool_result"]) {
    expect(events.find(({ event }) => event.type === type).at).toEqual(expect.any(Number));
  }
  const { at, startedAt } = events.find(({ event }) => event.type === "tool_result");
  expect(at).toBeGreaterThanOrEqual(startedAt);
});

it("shows the arguments that were approved in place of the model's", async () => {
  const agent = shopFor("C-9");
  const ownStorage = new MemoryStorage();
  const own = new InProcessRuntime({ storage: ownStorage, agents: [agent] });
  await own.start(agent, "Refund C-9", { runId: "order-9" });
  for await (const { event } of own.events("order-9")) if (event.type === "confirmation_required") break;
  const other = await openStudio({ storage: ownStorage, runtime: own });
  const [waiting] = (await ask(other, "/api/inbox")).json.waiting;
  const edited = { order: "C-10" };
  const decisions = [{ decision: "approve_edited", arguments: edited, callId: waiting.callId, confirmationId: waiting.id }];
  const { decided } = (await ask(other, "/api/runs/order-9/decisions", { decisions })).json;
  expect(decided).toMatchObject([{ decision: "approve_edited", arguments: edited }]);
  await own.result("order-9");
  const { events } = await ask(other, "/api/runs/order-9/events");
  expect(events.map(({ event }) => event)).toContainEqual(expect.objectContaining({ type: "decided", arguments: edited }));
  await other.close();
});

it("names a run that doesn't exist, and a studio without a storage", async () => {
  expect((await ask(studio, "/api/runs/none")).status).toBe(404);
  const other = await openStudio();
  expect((await ask(other, "/api/runs")).json.error).toContain("No storage is shown. Start the studio with --storage");
  await other.close();
});

it("decides about a run of another process, which goes on there", async () => {
  const directory = mkdtempSync(join(tmpdir(), "toolwright-studio-"));
  const agent = shopFor("B-4");
  const theirs = new FileStorage(directory);
  const first = new InProcessRuntime({ storage: theirs, agents: [agent] });
  await first.start(agent, "Refund B-4", { runId: "order-8" });
  for await (const { event } of first.events("order-8")) if (event.type === "confirmation_required") break;
  await first.drain();
  await theirs.close();

  const other = await openStudio({ storage: new FileStorage(directory) });
  const [waiting] = (await ask(other, "/api/inbox")).json.waiting;
  const decisions = [{ decision: "deny", reason: "Too late", callId: waiting.callId, confirmationId: waiting.id }];
  expect((await ask(other, "/api/runs/order-8/decisions", { decisions })).json).toMatchObject({ status: "running", waiting: [] });
  await other.close();

  const again = new FileStorage(directory);
  const second = new InProcessRuntime({ storage: again, agents: [agent] });
  const response = await second.result("order-8");
  expect(response.steps[0]?.toolCalls[0]?.content).toContain("Too late");
  await second.drain();
  await again.close();
});
