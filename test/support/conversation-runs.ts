import { Agent, type AgentClass, model, usesTools } from "../../src/agent/index.js";
import { approve, deny } from "../../src/confirmation/index.js";
import { InProcessRuntime, type PendingItem, type Runtime } from "../../src/durable/index.js";
import { type ChatModel, messageText, noUsage, type ToolCall } from "../../src/models/index.js";
import type { Storage } from "../../src/storage/index.js";
import { description, effect, identifier, requiresConfirmation, Tool } from "../../src/tool/index.js";
import { mortalStorage, type Write } from "./mortal-storage.js";

export const happened: string[] = [];

@identifier("pay")
@description("Pays.")
@effect("once")
class PayTool extends Tool {
  call() {
    happened.push("pay");
    return "Paid.";
  }
}

@identifier("refund")
@description("Refunds.")
@effect("once")
@requiresConfirmation()
class RefundTool extends Tool {
  call() {
    happened.push("refund");
    return "Refunded.";
  }
}

/** Calls the tool that the question names, and answers with how many questions it has read. */
const shopModel: ChatModel = {
  id: "test/shop",
  generate: async ({ messages }) => {
    const questions = messages.filter(({ role }) => role === "user");
    const question = questions.at(-1);
    const asked = question === undefined ? "" : messageText(question.content);
    const isCall = messages.at(-1)?.role === "user" && /^(pay|refund)/.test(asked);
    const toolCalls: ToolCall[] = isCall ? [{ id: `call_${questions.length}`, name: asked.split(" ")[0] ?? "", arguments: "{}" }] : [];
    const text = isCall ? "" : `Answer ${questions.length} to ${asked}`;
    return { text, toolCalls, finishReason: isCall ? "tool_calls" : "stop", usage: noUsage };
  },
};

@model(shopModel)
@usesTools([PayTool, RefundTool])
@identifier("shop")
export class ShopAgent extends Agent {}

const runtimes: InProcessRuntime[] = [];

/** A process. Those that didn't die are to be drained by `drainAll`. */
export function runtimeOn(storage: Storage, agents: readonly AgentClass[] = [ShopAgent]): InProcessRuntime {
  const runtime = new InProcessRuntime({ storage, agents });
  runtimes.push(runtime);
  return runtime;
}

export const drainAll = async (): Promise<void> => {
  await Promise.all(runtimes.splice(0).map((runtime) => runtime.drain({ deadline: 0 })));
};

export const start = (runtime: Runtime, runId: string, prompt: string): Promise<unknown> =>
  runtime.start("shop", prompt, { runId, conversation: "ada" });

export async function firstPending(runtime: Runtime): Promise<PendingItem> {
  for (;;) {
    const [item] = await runtime.pending();
    if (item !== undefined) return item;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const approveFirst = async (runtime: Runtime): Promise<unknown> => {
  const { runId, callId, confirmation } = await firstPending(runtime);
  return runtime.decide(runId, callId, approve(confirmation));
};

/** What was said in the stored conversation: questions, answers and results. */
export async function saidIn({ conversations }: Storage, id = "ada"): Promise<readonly unknown[]> {
  const { messages = [] } = (await conversations.load(id)) ?? {};
  return messages.filter(({ content }) => content !== "").map(({ content }) => content);
}

const isSaveOf = (write: Write, count: number, seen: { saves: number }): boolean => "save" in write && ++seen.saves === count;
const hasEnd = (write: Write): boolean => has(write, "conversation_saved");

/** The moments around what a run does with its conversation, at which a process dies. */
export const moments: readonly (readonly [string, () => (write: Write) => "before" | "after" | undefined])[] = [
  ["before the conversation is marked", () => at((write, seen) => isSaveOf(write, 1, seen), "before")],
  ["after the conversation is marked", () => at((write, seen) => isSaveOf(write, 1, seen), "after")],
  ["after the run has begun", () => at((write) => "append" in write && write.append.entries.some(({ kind }) => kind === "began"), "after")],
  ["when the run has ended, before the conversation is saved", () => at((write, seen) => isSaveOf(write, 2, seen), "before")],
  ["after the conversation is saved, before that is recorded", () => at((write, seen) => isSaveOf(write, 2, seen), "after")],
  ["before it is recorded that the conversation is saved", () => at(hasEnd, "before")],
  ["after it is recorded that the conversation is saved", () => at(hasEnd, "after")],
];

function at(isMoment: (write: Write, seen: { saves: number }) => boolean, moment: "before" | "after") {
  const seen = { saves: 0 };
  return (write: Write) => (isMoment(write, seen) ? moment : undefined);
}

/** Kills the process of a run at a moment, and expects the next process to leave each turn in the conversation once. */
export async function expectTurnsToSurvive(storage: Storage, momentOf: (write: Write) => "before" | "after" | undefined): Promise<void> {
  await start(runtimeOn(storage), "run-1", "Hello");
  await runtimes.at(-1)?.result("run-1");
  const { mortal, died } = mortalStorage(storage, momentOf);
  await start(new InProcessRuntime({ storage: mortal, agents: [ShopAgent] }), "run-2", "pay now");
  await died;

  const next = runtimeOn(storage);
  // A run that didn't get as far as its turn may come after one that is started now.
  if ((await storage.conversations.load("ada"))?.writer !== "run run-2") await next.result("run-2");
  await start(next, "run-3", "And?");
  await next.result("run-3");
  expect((await next.result("run-2")).outcome.reason).toBe("success");
  const said = await saidIn(storage);
  const result = said[3];
  expect(["Paid.", expect.stringContaining("It isn't known whether this call took effect")]).toContainEqual(result);
  expect(said).toEqual(["Hello", "Answer 1 to Hello", "pay now", result, "Answer 2 to pay now", "And?", "Answer 3 to And?"]);
  expect(happened).toEqual(["pay"]);
}

/** The moments of a run that waits for a decision, and then goes on. */
export const pauseMoments: readonly (readonly [string, () => (write: Write) => "before" | "after" | undefined])[] = [
  ["when it waits, before the conversation is saved", () => at((write, seen) => isSaveOf(write, 2, seen), "before")],
  ["when it waits, after the conversation is saved", () => at((write, seen) => isSaveOf(write, 2, seen), "after")],
  ["after its decision", () => at((write) => has(write, "decided"), "after")],
  ["when it goes on", () => at((write) => has(write, "resumed"), "after")],
  ["in its call", () => at((write) => has(write, "call_begun"), "after")],
  ["when it has ended, before the conversation is saved again", () => at((write, seen) => isSaveOf(write, 3, seen), "before")],
  ["when it has ended, after the conversation is saved again", () => at((write, seen) => isSaveOf(write, 3, seen), "after")],
];

const has = (write: Write, kind: string): boolean => "append" in write && write.append.entries.some((entry) => entry.kind === kind);

/** Kills the process of a run that waits for a decision, and expects the next ones to leave its turn in the conversation once. */
export async function expectPauseToSurvive(storage: Storage, momentOf: (write: Write) => "before" | "after" | undefined): Promise<void> {
  const { mortal, died } = mortalStorage(storage, momentOf);
  const first = new InProcessRuntime({ storage: mortal, agents: [ShopAgent] });
  await start(first, "run-1", "refund now");
  void approveFirst(first);
  await died;

  const next = runtimeOn(storage);
  const deciding = setInterval(() => void decideOpen(next), 20);
  const { outcome } = await next.result("run-1").finally(() => clearInterval(deciding));
  expect(outcome.reason).toBe("success");
  expect(happened.length).toBeLessThanOrEqual(1);
  const said = await saidIn(storage);
  expect(said).toEqual(["refund now", said[1], "Answer 1 to refund now"]);
  if (happened.length === 1) expect(said[1]).toMatch(/^Refunded\.$|may have taken effect/);
  expect((await storage.conversations.load("ada"))?.state).toBeUndefined();
}

/** Approves what waits; a call whose outcome isn't known is denied. */
async function decideOpen(runtime: Runtime): Promise<void> {
  for (const { runId, callId, confirmation } of await runtime.pending()) {
    const decision = confirmation.outcomeUnknown === true ? deny(confirmation) : approve(confirmation);
    await runtime.decide(runId, callId, decision).catch(() => undefined);
  }
}
