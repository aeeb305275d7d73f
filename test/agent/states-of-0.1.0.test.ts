import { readFileSync } from "node:fs";
import { join } from "node:path";
import { approve, deny, type RunState } from "../../src/index.js";
import { Agent, identifier, model, usesTools } from "../../src/index.js";
import { ScriptedModel } from "../../src/testing/index.js";
import { createTool } from "../../src/tool/index.js";
import type { StoredConversation } from "../../src/storage/index.js";
import { repositoryRoot } from "../support/code-blocks.js";

/** What version 0.1.0 stored: a run that waits for a decision, one that was stored in the middle, and the conversation of the first. */
const stored = JSON.parse(readFileSync(join(repositoryRoot, "test/data/stored-by-0.1.0.json"), "utf8")) as {
  readonly paused: RunState;
  readonly midway: RunState;
  readonly conversation: StoredConversation;
};
/** An hour after the run paused: its confirmation is valid for a day. */
beforeEach(() => {
  jest.useFakeTimers({
    now: Date.parse("2026-11-30T14:26:00Z"),
    doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "setTimeout", "performance"],
  });
});
afterEach(() => jest.useRealTimers());

let refunded = 0;
beforeEach(() => {
  refunded = 0;
});
const refund = createTool({
  name: "refund",
  description: "Refunds an order. Use to test.",
  inputSchema: { type: "object", properties: { order: { type: "string" } } },
  requiresConfirmation: true,
  execute: () => {
    refunded += 1;
    return "Refunded.";
  },
});
const look = createTool({
  name: "look",
  description: "Looks. Use to test.",
  inputSchema: { type: "object" },
  category: "read",
  execute: () => "A lamp.",
});
function shop(): Agent {
  class ShopAgent extends Agent {}
  identifier("shop")(ShopAgent);
  model(new ScriptedModel(["Done."]))(ShopAgent);
  usesTools([refund, look])(ShopAgent);
  return new ShopAgent();
}
/** Claims of their own for each test: a decision counts once. */
const claims = () => ({ claim: async () => true });

it("a run that paused in version 0.1.0 runs the approved call", async () => {
  const response = await shop().resume(stored.paused, { decisions: [approve("call_2")], claims: claims() });
  expect([response.text, refunded]).toEqual(["Done.", 1]);
});

it("a run that paused in version 0.1.0 reads a denial", async () => {
  const agent = shop();
  const response = await agent.resume(stored.paused, { decisions: [deny("call_2", "Paid in cash.")], claims: claims() });
  expect([response.text, refunded]).toEqual(["Done.", 0]);
  expect(agent.messages.at(-2)?.content).toContain("Paid in cash.");
});

it("a run that version 0.1.0 stored in the middle goes on", async () => {
  const response = await shop().resume(stored.midway, { claims: claims() });
  expect(response.text).toBe("Done.");
});

it("a conversation that version 0.1.0 stored is loaded with the run that waits", async () => {
  const store = { load: async () => stored.conversation, save: async () => undefined };
  const agent = await shop().load(store, "chat-7");
  const { state } = agent;
  if (state === undefined) throw new Error("The conversation has no run.");
  const response = await agent.resume(state, { decisions: [approve("call_2")], claims: claims() });
  expect([response.text, refunded]).toEqual(["Done.", 1]);
});
