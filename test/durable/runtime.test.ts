import { getEventListeners } from "node:events";
import { Agent, type AgentClass, model, usesTools } from "../../src/agent/index.js";
import { answer, approve, approveEdited } from "../../src/confirmation/index.js";
import { InProcessRuntime, type InProcessRuntimeOptions, type RunEvent } from "../../src/durable/index.js";
import { ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { type JournalEntry, MemoryStorage } from "../../src/storage/index.js";
import { identifier } from "../../src/tool/index.js";
import { AskUserTool } from "../../src/tools/index.js";
import { afterCrash, watchedStorage } from "../support/journals.js";
import { runtimeCases } from "../support/runtime-cases.js";
import { allOf, ask, beginAnew, calling, effects, family, firstPending, gate, isWaiting, shop } from "../support/runtime-shop.js";
import { until } from "../support/until.js";

const runtimes: InProcessRuntime[] = [];
beforeEach(beginAnew);
afterEach(async () => {
  await Promise.all(runtimes.splice(0).map((runtime) => runtime.drain({ deadline: 0 })));
});

function runtimeOf(agent: AgentClass, options: Partial<InProcessRuntimeOptions> = {}): InProcessRuntime {
  const runtime = new InProcessRuntime({ storage: new MemoryStorage(), agents: [agent], ...options });
  runtimes.push(runtime);
  return runtime;
}

runtimeCases(async (agent, services) => runtimeOf(agent, services));

describe("a runtime", () => {
  it("warns if onError throws, and tries the run again", async () => {
    const warned = jest.spyOn(process, "emitWarning").mockImplementation();
    let attempts = 0;
    const runtime = runtimeOf(shop("Hello."), {
      storage: new MemoryStorage({ leaseDuration: 20 }),
      services: () => {
        attempts += 1;
        if (attempts === 1) throw new Error("No database.");
        return { get: (Type) => new (Type as new () => never)() };
      },
      onError: () => {
        throw new Error("No log.");
      },
    });
    await runtime.start("shop", "Hi", { runId: "run-1" });
    expect((await runtime.result("run-1")).text).toBe("Hello.");
    expect(warned.mock.calls.map(([message]) => String(message).split("\n")[0])).toEqual([
      'The run run-1 of the agent "shop" failed, and is tried again: Error: No database.',
      "A runtime failed, and is tried again: Error: No log.",
    ]);
    warned.mockRestore();
  });

  it("keeps the limits that the run was started with", async () => {
    const steps = shop(calling("look"), calling("look"), "Never.");
    const first = runtimeOf(steps);
    await first.start(steps, "Look", { runId: "run-1", maxSteps: 2, context: { userId: "42" } });
    expect((await first.result("run-1")).reason).toBe("max_steps");

    const second = runtimeOf(shop(calling("pay"), "Never."));
    await second.start("shop", "Pay", { runId: "run-2", budget: { wallTime: 30 } });
    expect((await second.result("run-2")).outcome).toMatchObject({ reason: "budget_exhausted", budget: "wallTime" });
  });
  it("rejects an agent that it doesn't have, and names those that it has", async () => {
    await expect(runtimeOf(shop()).start("shpo", "Hi")).rejects.toThrow('This runtime has no agent "shpo". It has: shop.');
  });

  it("tries a run again that failed by a mistake, and gives its error in the end", async () => {
    const errors: unknown[] = [];
    const runtime = runtimeOf(shop("Hello."), {
      storage: new MemoryStorage({ leaseDuration: 20 }),
      services: () => {
        throw new Error("No database.");
      },
      onError: (error) => errors.push(error),
    });
    await runtime.start("shop", "Hi", { runId: "run-1" });
    await expect(runtime.result("run-1")).rejects.toThrow("No database.");
    expect(errors.length).toBeGreaterThanOrEqual(3);
    expect(await runtime.status("run-1")).toMatchObject({ status: "queued" });
  });
});
describe("decisions about a runtime's runs", () => {
  @identifier("other")
  @model(new ScriptedModel([]))
  class OtherAgent extends Agent {}

  /** A call of an agent waits, and the only runtime left doesn't have the agent. */
  async function waitingWithoutAgent(agent: AgentClass) {
    const storage = new MemoryStorage();
    const first = runtimeOf(agent, { storage });
    await first.start(agent, "Refund", { runId: "run-1" });
    const { callId, confirmation } = await firstPending(first);
    await first.drain();
    return { storage, callId, confirmation, page: runtimeOf(OtherAgent, { storage }) };
  }

  it("keeps one that came while no process with the agent lived", async () => {
    const { storage, callId, confirmation, page } = await waitingWithoutAgent(shop(calling("shop/refund")));
    expect(await page.decide("run-1", callId, approve(confirmation))).toMatchObject({ status: "running", pending: [] });
    await page.drain();
    expect(effects).toEqual([]);

    const second = runtimeOf(shop("Done."), { storage });
    expect((await second.result("run-1")).text).toBe("Done.");
    expect(effects).toEqual(["refund all"]);
  });

  it.each([
    ["a call", (): AgentClass => shop(calling("shop/refund"))],
    ["a call of a sub-agent", (): AgentClass => family(calling("shop/refund"), "Refunded.", ask).Boss],
  ])("compares edited arguments of %s with what the model was offered in a process without the agent", async (_, make) => {
    const { callId, confirmation, page } = await waitingWithoutAgent(make());
    await expect(page.decide("run-1", callId, approveEdited(confirmation, { amount: "much" }))).rejects.toMatchObject({
      reason: "invalid_arguments",
      message: expect.stringContaining("amount must be a number"),
    });
    expect(await page.status("run-1")).toMatchObject({ status: "waiting", pending: [{ callId }] });
    const { decided } = await page.decide("run-1", callId, { ...approveEdited(confirmation, { amount: 5 }), decidedBy: "Ada" });
    expect(decided).toMatchObject([{ callId, decision: "approve_edited", arguments: { amount: 5 }, decidedBy: "Ada" }]);
  });

  it("compares an answer with the question's schema in a process without the agent", async () => {
    @identifier("asker")
    @usesTools([AskUserTool])
    @model(new ScriptedModel([{ toolCalls: [{ name: "ask_user", arguments: { question: "Which colour?" } }] }]))
    class Asker extends Agent {}
    const { callId, confirmation, page } = await waitingWithoutAgent(Asker);
    await expect(page.decide("run-1", callId, answer(confirmation, { colour: 7 }))).rejects.toMatchObject({ reason: "invalid_answer" });
    expect(await page.decide("run-1", callId, answer(confirmation, "Blue"))).toMatchObject({ status: "running", pending: [] });
  });
});
describe("a run whose process ended", () => {
  it("goes on in the next process without being asked to", async () => {
    const { storage, appends } = watchedStorage();
    const first = runtimeOf(shop(calling("look"), "Once."), { storage });
    await first.start("shop", "What is there?", { runId: "run-1", context: { userId: "42" } });
    await first.result("run-1");
    for (let count = 1; count < appends.length; count++) {
      const second = runtimeOf(shop("Twice."), { storage: await afterCrash(appends, count) });
      expect((await second.result("run-1")).text).toBe("Twice.");
    }
  });

  it("isn't begun by two processes", async () => {
    const storage = new MemoryStorage();
    const agent = shop(calling("pay"), "Done.");
    const first = runtimeOf(agent, { storage });
    const second = runtimeOf(agent, { storage });
    await first.start("shop", "Pay", { runId: "run-1" });
    gate.open();
    await Promise.all([first.result("run-1"), second.result("run-1")]);
    expect(effects).toEqual(["pay"]);
  });

  it("is taken over although it has the id of one that couldn't be, and was removed", async () => {
    const storage = new MemoryStorage({ leaseDuration: 20 });
    const add = async (entry: JournalEntry): Promise<void> => {
      const lease = await storage.leases.acquire("run run-1", "the process that ended", 60_000);
      await storage.journals.append({ runId: "run-1", agent: "shop", status: "running", position: 0, entries: [entry] }, lease);
      await storage.leases.release(lease);
    };
    const run = { version: 1, runId: "run-1", agent: "shop" };
    await add(Object.assign({ kind: "began" }, { ...run, limits: {}, messages: [] }));
    const runtime = runtimeOf(shop("Hello."), { storage });
    await new Promise((resolve) => setTimeout(resolve, 30));
    await storage.journals.delete("run-1");
    await new Promise((resolve) => setTimeout(resolve, 30));
    await add(Object.assign({ kind: "accepted" }, { ...run, prompt: "Hi", context: {}, options: {} }));
    expect((await runtime.result("run-1")).text).toBe("Hello.");
  });

  it("is left alone if no runtime started it", async () => {
    const { storage, appends } = watchedStorage();
    await new (shop("Hello."))().generate("Hi", { journal: storage, runId: "run-1" });
    const runtime = runtimeOf(shop("Never."), { storage: await afterCrash(appends, 1) });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await expect(runtime.status("run-1")).rejects.toMatchObject({ reason: "not_accepted" });
  });
});
describe("cancel", () => {
  it("takes a run from the process that carries it on", async () => {
    const storage = new MemoryStorage();
    const agent = shop(calling("pay"), "Never.");
    const first = runtimeOf(agent, { storage });
    await first.start("shop", "Pay", { runId: "run-1" });
    await isWaiting.opened;
    const second = runtimeOf(agent, { storage });
    expect(await second.cancel("run-1")).toMatchObject({ status: "ended", outcome: { reason: "aborted" } });
    gate.open();
    expect((await first.result("run-1")).reason).toBe("aborted");
    expect(agent.scripted.requests).toHaveLength(1);
  });

  it("ends a run that hasn't begun, and that no process can begin", async () => {
    const runtime = runtimeOf(shop("Never."), {
      services: () => {
        throw new Error("No database.");
      },
      onError: () => undefined,
    });
    await runtime.start("shop", "Hi", { runId: "run-1" });
    expect(await runtime.cancel("run-1")).toMatchObject({ status: "ended", outcome: { reason: "aborted" } });
    expect((await runtime.result("run-1")).reason).toBe("aborted");
  });
});
describe("the events of a run", () => {
  it("leave nothing at a signal that lives on once the run has ended", async () => {
    const { signal } = new AbortController();
    const runtime = runtimeOf(shop("Done."));
    await runtime.start("shop", "Hi", { runId: "run-1" });
    for (let reader = 0; reader < 3; reader += 1) await allOf(runtime.events("run-1", { abortSignal: signal }));

    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("are the same in a process that didn't carry on the run, without the pieces", async () => {
    const storage = new MemoryStorage();
    const first = runtimeOf(shop(calling("look", "shop/refund"), "Done."), { storage });
    await first.start("shop", "Look and refund", { runId: "run-1", context: { userId: "42" } });
    const { callId, confirmation } = await firstPending(first);
    await first.decide("run-1", callId, approve(confirmation));
    const heard = await allOf(first.events("run-1"));
    const read = await allOf(runtimeOf(shop(), { storage }).events("run-1"));
    const isPiece = ({ id }: RunEvent): boolean => id.includes("+");
    expect(read.some(isPiece)).toBe(false);
    expect(read).toEqual(heard.filter((event) => !isPiece(event)));
    expect(read.map(({ event }) => event.type)).toEqual([
      "tool_call_done",
      "tool_call_done",
      "usage",
      "tool_result",
      "confirmation_required",
      "decided",
      "resumed",
      "tool_result",
      "step_done",
      "text_done",
      "usage",
      "step_done",
      "done",
    ]);
  });
});
describe("drain", () => {
  it("lets a call end, and leaves the rest of the run to the next process", async () => {
    const storage = new MemoryStorage();
    const first = runtimeOf(shop(calling("pay"), "Never."), { storage });
    await first.start("shop", "Pay", { runId: "run-1" });
    await isWaiting.opened;
    const draining = first.drain();
    gate.open();
    expect(await draining).toEqual({ left: [{ runId: "run-1", agent: "shop", cutOff: false }] });
    await expect(first.start("shop", "Pay")).rejects.toMatchObject({ reason: "draining" });

    const agent = shop("Paid.");
    const second = runtimeOf(agent, { storage });
    expect((await second.result("run-1")).text).toBe("Paid.");
    expect(effects).toEqual(["pay"]);
    expect(agent.scripted.requests[0]?.messages.at(-1)).toMatchObject({ role: "tool", content: "Paid." });
  });

  it("cuts off a call at the deadline, and the model reads that its outcome isn't known", async () => {
    const storage = new MemoryStorage();
    const first = runtimeOf(shop(calling("pay"), "Never."), { storage });
    await first.start("shop", "Pay", { runId: "run-1" });
    await isWaiting.opened;
    expect(await first.drain({ deadline: 10 })).toEqual({ left: [{ runId: "run-1", agent: "shop", cutOff: true }] });

    const agent = shop("I don't know.");
    const second = runtimeOf(agent, { storage });
    await second.result("run-1");
    expect(effects).toEqual(["pay"]);
    expect(agent.scripted.requests[0]?.messages.at(-1)).toMatchObject({
      content: expect.stringContaining("It isn't known whether this call took effect"),
    });
    gate.open();
  });

  it("doesn't wait longer than its deadline for services that never come", async () => {
    const runtime = runtimeOf(shop("Never."), { services: () => new Promise(() => undefined) });
    await runtime.start("shop", "Hi", { runId: "run-1" });
    expect(await runtime.drain({ deadline: 10 })).toEqual({ left: [{ runId: "run-1", agent: "shop", cutOff: true }] });
  });

  it("doesn't report a run as left that ended before it could leave", async () => {
    const last: ScriptedStep = async () => {
      isWaiting.open();
      await gate.opened;
      return "Done.";
    };
    const runtime = runtimeOf(shop(last));
    await runtime.start("shop", "Hi", { runId: "run-1" });
    await isWaiting.opened;
    const draining = runtime.drain();
    gate.open();
    expect(await draining).toEqual({ left: [] });
    expect(await runtime.status("run-1")).toMatchObject({ status: "ended", outcome: { reason: "success" } });
  });

  it("leaves nothing of runs that wait or have ended", async () => {
    const runtime = runtimeOf(shop(calling("shop/refund")));
    await runtime.start("shop", "Refund", { runId: "run-1" });
    await firstPending(runtime);
    expect(await runtime.drain()).toEqual({ left: [] });
  });
});
describe("a run with a sub-agent", () => {
  it("is drained at the end of the sub-agent's step, and goes on there in the next process", async () => {
    const storage = new MemoryStorage();
    const first = runtimeOf(family(calling("pay"), "Never.", ask).Boss, { storage });
    await first.start("boss", "Go", { runId: "run-1" });
    await isWaiting.opened;
    const draining = first.drain();
    gate.open();
    expect(await draining).toEqual({ left: [{ runId: "run-1", agent: "boss", cutOff: false }] });

    const next = family("The helper is done.", "The boss is done.");
    const second = runtimeOf(next.Boss, { storage });
    expect((await second.result("run-1")).text).toBe("The boss is done.");
    expect(effects).toEqual(["pay"]);
    expect(next.helperSteps.requests[0]?.messages.at(-1)).toMatchObject({ role: "tool", content: "Paid." });
  });

  it("goes on although the lease of the sub-agent's run outlives the process", async () => {
    const storage = new MemoryStorage();
    const first = runtimeOf(family(calling("pay"), "Never.", ask).Boss, { storage });
    await first.start("boss", "Go", { runId: "run-1" });
    await isWaiting.opened;
    await first.drain({ deadline: 0 });
    gate.open();
    await storage.leases.acquire("run run-1/call_1", "the process that ended", 60_000);

    const second = runtimeOf(family("The helper is done.", "The boss is done.").Boss, { storage });
    expect((await second.result("run-1")).text).toBe("The boss is done.");
    expect(storage.journals.head("run-1/call_1")).toMatchObject({ status: "ended" });
    expect(effects).toEqual(["pay"]);
  });

  it("has everything of the sub-agent recorded when a drain that cut it off returns", async () => {
    const { storage, appends } = watchedStorage(async ({ runId }) => {
      if (runId.includes("/")) await new Promise((resolve) => setTimeout(resolve, 20));
    });
    const runtime = runtimeOf(family(calling("shop/refund", "pay"), "Never.", ask).Boss, { storage });
    await runtime.start("boss", "Go", { runId: "run-1" });
    await isWaiting.opened;
    await runtime.drain({ deadline: 0 });
    const count = appends.length;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(appends).toHaveLength(count);
    gate.open();
  });

  it("ends the sub-agent's run with it if it is cancelled while that waits", async () => {
    const storage = new MemoryStorage();
    const runtime = runtimeOf(family(calling("shop/refund"), "Never.", ask).Boss, { storage });
    await runtime.start("boss", "Go", { runId: "run-1" });
    await firstPending(runtime);
    expect(storage.journals.head("run-1/call_1")).toMatchObject({ status: "waiting" });
    await runtime.cancel("run-1");
    expect(storage.journals.head("run-1/call_1")).toMatchObject({ status: "ended" });
    expect(await storage.journals.list({ status: "waiting" })).toEqual([]);
  });

  it("ends the sub-agent's run with it if it is cancelled while that goes on, here or in another process", async () => {
    for (const isElsewhere of [false, true]) {
      beginAnew();
      const storage = new MemoryStorage();
      const { Boss } = family(calling("pay"), "Never.", ask);
      const runtime = runtimeOf(Boss, { storage });
      await runtime.start("boss", "Go", { runId: "run-1" });
      await isWaiting.opened;
      await (isElsewhere ? runtimeOf(Boss, { storage }) : runtime).cancel("run-1");
      gate.open();
      await runtime.result("run-1");
      expect(await storage.journals.list()).toMatchObject([{ status: "ended" }, { status: "ended" }]);
    }
  });

  it("ends the sub-agent's run with it if its conversation goes on without it", async () => {
    const storage = new MemoryStorage();
    const runtime = runtimeOf(family(calling("shop/refund"), "Never.", ask).Boss, { storage });
    await runtime.start("boss", "Go", { runId: "run-1", conversation: "ada" });
    await firstPending(runtime);
    await runtime.start("boss", "Never mind", { runId: "run-2", conversation: "ada" });
    const { givenUp } = await runtime.result("run-2");
    expect(givenUp?.map(({ callId }) => callId)).toEqual(["call_1/call_1"]);
    expect((await storage.journals.list()).map(({ status }) => status)).toEqual(["ended", "ended", "ended"]);
  });
});

describe("a run of an agent that no process has", () => {
  it("stays queued, and ends once a process has the agent", async () => {
    const storage = new MemoryStorage({ leaseDuration: 50 });
    const lease = await storage.leases.acquire("run run-1", "the process that ended", 60_000);
    const accepted = { kind: "accepted", version: 1, runId: "run-1", agent: "shop", prompt: "Hi", context: {}, options: {} };
    await storage.journals.append({ runId: "run-1", agent: "shop", status: "running", position: 0, entries: [accepted] }, lease);
    await storage.leases.release(lease);
    const warned = jest.spyOn(process, "emitWarning").mockImplementation();
    try {
      @identifier("other")
      @model(new ScriptedModel([]))
      class OtherAgent extends Agent {}

      const without = runtimeOf(OtherAgent, { storage });
      // It has looked at the run.
      await until(() => warned.mock.calls.length > 0);
      expect(await without.status("run-1")).toMatchObject({ status: "queued" });
      expect((await runtimeOf(shop("Hello."), { storage }).result("run-1")).text).toBe("Hello.");
      expect(await without.status("run-1")).toMatchObject({ status: "ended" });
    } finally {
      warned.mockRestore();
    }
  });
});
