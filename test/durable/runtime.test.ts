import { Agent, type AgentClass, model, usesTools } from "../../src/agent/index.js";
import { approve, approveEdited, deny } from "../../src/confirmation/index.js";
import { InProcessRuntime, type InProcessRuntimeOptions, type PendingItem, type RunEvent, type Runtime } from "../../src/durable/index.js";
import { type ChatModel, noUsage, ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { type JournalEntry, MemoryStorage } from "../../src/storage/index.js";
import { category, description, effect, identifier, optional, requiresConfirmation, Tool, type ToolContext } from "../../src/tool/index.js";
import { afterCrash, watchedStorage } from "../support/journals.js";

const effects: string[] = [];
const runtimes: InProcessRuntime[] = [];
beforeEach(() => effects.splice(0));
afterEach(async () => {
  await Promise.all(runtimes.splice(0).map((runtime) => runtime.drain({ deadline: 0 })));
});

@identifier("look")
@description("Looks.")
@category("read")
class LookTool extends Tool {
  call({ userId }: ToolContext) {
    effects.push(`look for ${userId}`);
    return "A lamp.";
  }
}

@identifier("shop/refund")
@description("Refunds.")
@effect("once")
@requiresConfirmation()
class RefundTool extends Tool {
  @optional(Number)
  amount?: number;

  call() {
    effects.push(`refund ${this.amount ?? "all"}`);
    return "Refunded.";
  }
}

/** Waits until a test opens it. */
class Gate {
  open!: () => void;
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

let gate = new Gate();
let isWaiting = new Gate();
beforeEach(() => {
  gate = new Gate();
  isWaiting = new Gate();
});

@identifier("pay")
@description("Pays.")
@effect("once")
class PayTool extends Tool {
  async call() {
    effects.push("pay");
    isWaiting.open();
    await gate.opened;
    return "Paid.";
  }
}

const calling = (...names: readonly string[]): ScriptedStep => ({ toolCalls: names.map((name) => ({ name })) });

function shop(...steps: readonly ScriptedStep[]): AgentClass & { readonly scripted: ScriptedModel } {
  const scripted = new ScriptedModel(steps);

  @model(scripted)
  @usesTools([LookTool, RefundTool, PayTool])
  @identifier("shop")
  class ShopAgent extends Agent {
    static readonly scripted = scripted;
  }
  return ShopAgent;
}

function runtimeOf(agent: AgentClass, options: Partial<InProcessRuntimeOptions> = {}): InProcessRuntime {
  const runtime = new InProcessRuntime({ storage: new MemoryStorage(), agents: [agent], ...options });
  runtimes.push(runtime);
  return runtime;
}

async function allOf(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

async function firstPending(runtime: Runtime): Promise<PendingItem> {
  for (;;) {
    const [item] = await runtime.pending();
    if (item !== undefined) return item;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const decided = (runtime: Runtime, item: PendingItem | undefined, decide: typeof approve): Promise<unknown> =>
  item === undefined ? Promise.reject(new Error("Nothing waits.")) : runtime.decide(item.runId, item.callId, decide(item.confirmation));

describe("a runtime", () => {
  it("carries out a run with its context, and gives its response", async () => {
    const runtime = runtimeOf(shop(calling("look"), "It has a lamp."));
    const started = await runtime.start("shop", "What is there?", { runId: "run-1", context: { userId: "42" }, tags: { tenant: "a" } });
    expect(started).toEqual({
      runId: "run-1",
      agent: "shop",
      status: "queued",
      pending: [],
      context: { userId: "42" },
      tags: { tenant: "a" },
    });
    expect((await runtime.result("run-1")).text).toBe("It has a lamp.");
    expect(effects).toEqual(["look for 42"]);
    expect(await runtime.status("run-1")).toMatchObject({ status: "ended", outcome: { reason: "success" } });
  });

  it("starts a run once, if start is repeated with the same id and input", async () => {
    const agent = shop("Hello.", "Again.");
    const runtime = runtimeOf(agent);
    await Promise.all([1, 2, 3].map(() => runtime.start(agent, "Hi", { runId: "run-1" })));
    expect((await runtime.result("run-1")).text).toBe("Hello.");
    await runtime.start(agent, "Hi", { runId: "run-1" });
    expect(agent.scripted.requests).toHaveLength(1);
  });

  it("starts a run once, if start is repeated with a prompt of any size", async () => {
    const runtime = runtimeOf(shop("Hello."));
    const prompt = "x".repeat(3_000_000);
    for (let attempt = 0; attempt < 2; attempt++) await runtime.start("shop", prompt, { runId: "run-1", context: { a: 1, b: 2 } });
    expect((await runtime.result("run-1")).text).toBe("Hello.");
  });

  it("rejects an id that was used for another input", async () => {
    const runtime = runtimeOf(shop("Hello."));
    await runtime.start("shop", "Hi", { runId: "run-1" });
    await expect(runtime.start("shop", "Hi there", { runId: "run-1" })).rejects.toMatchObject({ name: "JournalError", reason: "exists" });
  });

  it.each([
    [{ load: () => undefined }, "context.user.load is a function"],
    [new Date(0), "context.user is an instance of Date"],
    [[1n], "context.user[0] is a bigint"],
    [{ "first name": Number.NaN }, 'context.user["first name"] is NaN'],
  ])("rejects a context that isn't JSON, by its path", async (user, path) => {
    await expect(runtimeOf(shop()).start("shop", "Hi", { context: { user } })).rejects.toThrow(
      `start: ${path}, which can't be recorded. Pass ids and flags as JSON`,
    );
  });

  it("records what it was given, whatever the caller does with its objects then", async () => {
    const runtime = runtimeOf(shop("One.", "Two."));
    const context = { userId: "1" };
    const starts = ["1", "2"].map((userId) => {
      context.userId = userId;
      return runtime.start("shop", "Hi", { runId: `run-${userId}`, context });
    });
    expect((await Promise.all(starts)).map((run) => run.context)).toEqual([{ userId: "1" }, { userId: "2" }]);
  });

  it.each([
    [{ maxSteps: -1 }, "maxSteps"],
    [{ budget: { token: 5 } }, '"token"'],
    [{ runId: "" }, "runId must be a string"],
  ])("rejects %j, before anything is recorded", async (options, message) => {
    await expect(runtimeOf(shop()).start("shop", "Hi", options as never)).rejects.toThrow(message);
  });

  it("answers a repeated start of a run that goes on at once", async () => {
    const runtime = runtimeOf(shop(calling("pay"), "Done."), { storage: new MemoryStorage() });
    await runtime.start("shop", "Pay", { runId: "run-1" });
    await isWaiting.opened;
    const other = runtimeOf(shop(), { storage: new MemoryStorage() });
    expect(await runtime.start("shop", "Pay", { runId: "run-1" })).toMatchObject({ status: "running" });
    expect(await other.pending()).toEqual([]);
    gate.open();
    await runtime.result("run-1");
  });

  it("lists what waits behind runs that stopped without an answer", async () => {
    const runtime = runtimeOf(shop(calling("look"), calling("shop/refund")));
    await runtime.start("shop", "Look", { runId: "run-1", maxSteps: 1, context: { userId: "1" } });
    expect((await runtime.result("run-1")).reason).toBe("max_steps");
    await runtime.start("shop", "Refund", { runId: "run-2" });
    await firstPending(runtime);
    expect((await runtime.pending({ limit: 1 })).map(({ runId }) => runId)).toEqual(["run-2"]);
  });

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

  it("rejects an agent that it doesn't have, and names those that it has", async () => {
    await expect(runtimeOf(shop()).start("shpo", "Hi")).rejects.toThrow('This runtime has no agent "shpo". It has: shop.');
  });

  it("makes the container and the options of each run from its context", async () => {
    const seen: unknown[] = [];
    const runtime = runtimeOf(shop(calling("look"), "A lamp."), {
      services: (context, run) => {
        seen.push(context, run);
        return { get: (Type) => new (Type as new () => never)() };
      },
      options: ({ id }) => ({ toolContext: { userId: `user ${id}` } }),
    });
    await runtime.start("shop", "Hi", { runId: "run-1", context: { id: 7 }, tags: { tenant: "a" } });
    await runtime.result("run-1");
    expect(seen).toEqual([{ id: 7 }, { runId: "run-1", agent: "shop", tags: { tenant: "a" } }]);
    expect(effects).toEqual(["look for user 7"]);
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
  it.each([
    ["approved", approve, "refund all"],
    ["approved with other arguments", (item: PendingItem["confirmation"]) => approveEdited(item, { amount: 5 }), "refund 5"],
  ])("lets a call run that was %s", async (_, decide, effect) => {
    const runtime = runtimeOf(shop(calling("shop/refund"), "Done."));
    await runtime.start("shop", "Refund", { runId: "run-1" });
    const { callId, confirmation, kind } = await firstPending(runtime);
    expect({ kind, tool: confirmation.tool }).toEqual({ kind: "confirmation", tool: "shop/refund" });
    await runtime.decide("run-1", callId, decide(confirmation));
    expect((await runtime.result("run-1")).text).toBe("Done.");
    expect(effects).toEqual([effect]);
  });

  it("tells the model of a denial", async () => {
    const agent = shop(calling("shop/refund"), "Then not.");
    const runtime = runtimeOf(agent);
    await runtime.start("shop", "Refund", { runId: "run-1" });
    const { callId, confirmation } = await firstPending(runtime);
    await runtime.decide("run-1", callId, deny(confirmation, "Too much."));
    await runtime.result("run-1");
    expect(effects).toEqual([]);
    expect(agent.scripted.requests.at(-1)?.messages.at(-1)).toMatchObject({ role: "tool", content: expect.stringContaining("Too much.") });
  });

  it("counts the first of several at once", async () => {
    const runtime = runtimeOf(shop(calling("shop/refund"), "Done."));
    await runtime.start("shop", "Refund", { runId: "run-1" });
    const { callId, confirmation } = await firstPending(runtime);
    const decided = await Promise.allSettled([1, 2, 3, 4].map(() => runtime.decide("run-1", callId, approve(confirmation))));
    expect(decided.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await runtime.result("run-1");
    expect(effects).toEqual(["refund all"]);
  });

  it("takes one while another call of the step still runs", async () => {
    const runtime = runtimeOf(shop(calling("pay", "shop/refund"), "Done."));
    await runtime.start("shop", "Pay and refund", { runId: "run-1" });
    await isWaiting.opened;
    const events = runtime.events("run-1")[Symbol.asyncIterator]();
    let event = await events.next();
    while (event.value?.event.type !== "confirmation_required") event = await events.next();
    const { confirmation } = event.value.event;
    expect((await runtime.decide("run-1", confirmation.callId, approve(confirmation))).pending).toEqual([]);
    expect(effects).toEqual(["pay"]);
    gate.open();
    expect((await runtime.result("run-1")).text).toBe("Done.");
    expect(effects).toEqual(["pay", "refund all"]);
    await events.return?.();
  });

  it("keeps one that comes while the run goes on with another", async () => {
    const slow = { options: () => new Promise<object>((resolve) => setTimeout(resolve, 5, {})) };
    const runtime = runtimeOf(shop(calling("shop/refund", "shop/refund"), "Done."), slow);
    await runtime.start("shop", "Refund twice", { runId: "run-1" });
    await firstPending(runtime);
    const [first, second] = await runtime.pending();
    await Promise.all([first, second].map((item, index) => decided(runtime, item, index === 0 ? approve : deny)));
    expect(await runtime.pending()).toEqual([]);
    expect((await runtime.result("run-1")).text).toBe("Done.");
    expect(effects).toEqual(["refund all"]);
  });

  it("rejects one that was made for another call, or with arguments that don't fit", async () => {
    const runtime = runtimeOf(shop(calling("shop/refund"), "Done."));
    await runtime.start("shop", "Refund", { runId: "run-1" });
    const { callId, confirmation } = await firstPending(runtime);
    await expect(runtime.decide("run-1", "call_9", approve("call_9"))).rejects.toMatchObject({ reason: "unknown_call" });
    await expect(runtime.decide("run-1", callId, approve("call_9"))).rejects.toMatchObject({ reason: "unknown_call" });
    await expect(runtime.decide("run-1", callId, approveEdited(confirmation, { amount: "much" }))).rejects.toMatchObject({
      reason: "invalid_arguments",
    });
    expect((await runtime.pending()).map((item) => item.callId)).toEqual([callId]);
  });

  it("rejects an approval that comes after its confirmation expired, and still takes a denial", async () => {
    const runtime = runtimeOf(shop(calling("shop/refund"), "Then not."), { options: () => ({ confirmationTimeout: 1 }) });
    await runtime.start("shop", "Refund", { runId: "run-1" });
    const { callId, confirmation } = await firstPending(runtime);
    while (Date.now() <= Date.parse(confirmation.expiresAt)) await new Promise((resolve) => setTimeout(resolve, 1));
    await expect(runtime.decide("run-1", callId, approve(confirmation))).rejects.toMatchObject({
      name: "DecisionError",
      reason: "expired",
      message: expect.stringContaining(`could be approved until ${confirmation.expiresAt}, and has not run.`),
    });
    expect((await runtime.pending()).map((item) => item.callId)).toEqual([callId]);
    await runtime.decide("run-1", callId, deny(confirmation));
    expect((await runtime.result("run-1")).text).toBe("Then not.");
    expect(effects).toEqual([]);
  });

  it("takes several together, or none of them", async () => {
    const runtime = runtimeOf(shop(calling("shop/refund", "shop/refund"), "Done."));
    await runtime.start("shop", "Refund twice", { runId: "run-1" });
    const [first, second] = (await firstPending(runtime)) && (await runtime.pending());
    if (first === undefined || second === undefined) throw new Error("Two calls wait.");
    await expect(runtime.decideAll("run-1", [approve(first.confirmation), approve("call_9")])).rejects.toMatchObject({
      reason: "unknown_call",
    });
    const twice = [approve(first.confirmation), approve(first.confirmation)];
    await expect(runtime.decideAll("run-1", twice)).rejects.toMatchObject({ reason: "decided_twice" });
    expect(await runtime.pending()).toHaveLength(2);
    await runtime.decideAll("run-1", [approve(first.confirmation), deny(second.confirmation)]);
    expect((await runtime.result("run-1")).text).toBe("Done.");
    expect(effects).toEqual(["refund all"]);
  });

  it("keeps one that came while no process with the agent lived", async () => {
    const storage = new MemoryStorage();
    const first = runtimeOf(shop(calling("shop/refund")), { storage });
    await first.start("shop", "Refund", { runId: "run-1" });
    const { callId, confirmation } = await firstPending(first);
    await first.drain();

    @identifier("other")
    @model(new ScriptedModel([]))
    class OtherAgent extends Agent {}
    const page = runtimeOf(OtherAgent, { storage });
    expect(await page.decide("run-1", callId, approve(confirmation))).toMatchObject({ status: "running", pending: [] });
    await page.drain();
    expect(effects).toEqual([]);

    const second = runtimeOf(shop("Done."), { storage });
    expect((await second.result("run-1")).text).toBe("Done.");
    expect(effects).toEqual(["refund all"]);
  });
});

describe("a run whose process ended", () => {
  it("goes on in the next process, which asks nobody", async () => {
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
  it("ends a run that waits: its call can't be approved any more", async () => {
    const runtime = runtimeOf(shop(calling("shop/refund")));
    await runtime.start("shop", "Refund", { runId: "run-1" });
    const { callId, confirmation } = await firstPending(runtime);
    expect(await runtime.cancel("run-1", "The user left.")).toMatchObject({
      status: "ended",
      pending: [],
      outcome: { reason: "aborted", detail: "The user left." },
    });
    await expect(runtime.decide("run-1", callId, approve(confirmation))).rejects.toThrow();
    expect((await runtime.result("run-1")).reason).toBe("aborted");
    expect(effects).toEqual([]);
  });

  it("aborts a run that goes on", async () => {
    const runtime = runtimeOf(shop(calling("pay"), "Never."));
    await runtime.start("shop", "Pay", { runId: "run-1" });
    await isWaiting.opened;
    expect(await runtime.cancel("run-1")).toMatchObject({ status: "ended", outcome: { reason: "aborted" } });
  });

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

  it("doesn't wait for services that never come", async () => {
    const runtime = runtimeOf(shop("Never."), { services: () => new Promise(() => undefined) });
    await runtime.start("shop", "Hi", { runId: "run-1" });
    expect(await runtime.cancel("run-1")).toMatchObject({ status: "ended" });
  });

  it("tells a reader of the end once", async () => {
    const runtime = runtimeOf(shop(calling("pay"), "Never."));
    await runtime.start("shop", "Pay", { runId: "run-1" });
    await isWaiting.opened;
    const reading = allOf(runtime.events("run-1"));
    await runtime.cancel("run-1");
    const last = (await reading).at(-1);
    expect(last?.event.type).toBe("done");
    expect(await allOf(runtime.events("run-1", { after: last?.id ?? "" }))).toEqual([]);
  });

  it("changes nothing of a run that has ended", async () => {
    const runtime = runtimeOf(shop("Hello."));
    await runtime.start("shop", "Hi", { runId: "run-1" });
    await runtime.result("run-1");
    expect(await runtime.cancel("run-1")).toMatchObject({ status: "ended", outcome: { reason: "success" } });
  });
});

describe("the events of a run", () => {
  it("come in their order, with pieces, until the run has ended", async () => {
    const runtime = runtimeOf(shop(calling("look"), "It has a lamp."));
    await runtime.start("shop", "What is there?", { runId: "run-1" });
    const events = await allOf(runtime.events("run-1"));
    const whole = events.map(({ event }) => event.type).filter((type) => !type.endsWith("_delta"));
    expect(whole).toEqual([
      "tool_call_done",
      "usage",
      "tool_started",
      "tool_result",
      "step_done",
      "text_done",
      "usage",
      "step_done",
      "done",
    ]);
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
      "resumed",
      "tool_result",
      "step_done",
      "text_done",
      "usage",
      "step_done",
      "done",
    ]);
  });

  it("go on after any of them", async () => {
    const runtime = runtimeOf(shop(calling("look"), "It has a lamp."));
    await runtime.start("shop", "What is there?", { runId: "run-1" });
    await runtime.result("run-1");
    const all = await allOf(runtime.events("run-1"));
    for (const [index, { id }] of all.entries()) {
      expect(await allOf(runtime.events("run-1", { after: id }))).toEqual(all.slice(index + 1));
    }
  });

  it("come again from the first piece of the unfinished text, for a reader that connects in its middle", async () => {
    const half: ChatModel = {
      id: "half",
      async generate({ onDelta }) {
        for (const text of ["Hello, ", "wor"]) onDelta?.({ type: "text", text });
        await gate.opened;
        return { text: "Hello, world.", toolCalls: [], finishReason: "stop", usage: noUsage };
      },
    };

    @model(half)
    @identifier("talker")
    class Talker extends Agent {}

    const runtime = runtimeOf(Talker);
    await runtime.start(Talker, "Hi", { runId: "run-1" });
    const first = runtime.events("run-1")[Symbol.asyncIterator]();
    const { value: hello } = await first.next();
    await first.next();
    const second = runtime.events("run-1")[Symbol.asyncIterator]();
    expect((await second.next()).value).toEqual(hello);
    const third = runtime.events("run-1", { after: hello?.id ?? "" })[Symbol.asyncIterator]();
    expect((await third.next()).value).toMatchObject({ event: { type: "text_delta", delta: "wor" } });
    gate.open();
    expect((await third.next()).value).toMatchObject({ event: { type: "text_done", text: "Hello, world." } });
    await Promise.all([first, second, third].map((reader) => reader.return?.()));
  });

  it("ask for each confirmation once, also if the run pauses again", async () => {
    const runtime = runtimeOf(shop(calling("shop/refund", "shop/refund"), "Done."));
    await runtime.start("shop", "Refund twice", { runId: "run-1" });
    let asked = 0;
    for await (const { event } of runtime.events("run-1")) {
      if (event.type !== "confirmation_required") continue;
      asked += 1;
      await runtime.decide("run-1", event.confirmation.callId, approve(event.confirmation));
    }
    expect([asked, effects.length]).toEqual([2, 2]);
  });

  it("end at once for a reader that leaves while it waits", async () => {
    const runtime = runtimeOf(shop(calling("shop/refund")));
    await runtime.start("shop", "Refund", { runId: "run-1" });
    await firstPending(runtime);
    const events = runtime.events("run-1");
    let next = await events.next();
    while (next.value?.event.type !== "confirmation_required") next = await events.next();
    const waiting = events.next();
    await events.return?.();
    expect((await waiting).done).toBe(true);
  });

  it.each(["", "x", "1", "1.2.3", "-1.0", "1e3.0"])("need an id that they gave, and %j is none", async (after) => {
    const runtime = runtimeOf(shop("Hello."));
    await runtime.start("shop", "Hi", { runId: "run-1" });
    await expect(allOf(runtime.events("run-1", { after }))).rejects.toThrow("after must be the id of an event");
  });

  it("end for a reader whose signal is aborted, while the run goes on", async () => {
    const runtime = runtimeOf(shop(calling("pay"), "Done."));
    await runtime.start("shop", "Pay", { runId: "run-1" });
    await isWaiting.opened;
    const leaving = new AbortController();
    const reading = allOf(runtime.events("run-1", { abortSignal: leaving.signal }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    leaving.abort();
    expect((await reading).at(-1)?.event.type).toBe("tool_started");
    gate.open();
    expect((await runtime.result("run-1")).text).toBe("Done.");
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
  function family(...steps: readonly ScriptedStep[]) {
    const helperSteps = new ScriptedModel(steps.slice(0, -1).length === 0 ? ["Nothing."] : steps.slice(0, -1));

    @model(helperSteps)
    @usesTools([PayTool, RefundTool])
    @identifier("helper")
    @description("Helps. Use to test.")
    class Helper extends Agent {}

    const scripted = new ScriptedModel([steps.at(-1) ?? "Done.", "All done."]);

    @model(scripted)
    @usesTools([Helper])
    @identifier("boss")
    class Boss extends Agent {}
    return { Boss, helperSteps, scripted };
  }
  const ask: ScriptedStep = { toolCalls: [{ name: "helper", arguments: { prompt: "Pay" } }] };

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
      gate = new Gate();
      isWaiting = new Gate();
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

  it("lets a person decide about a call of the sub-agent", async () => {
    const runtime = runtimeOf(family(calling("shop/refund"), "Refunded.", ask).Boss);
    await runtime.start("boss", "Go", { runId: "run-1" });
    await decided(runtime, await firstPending(runtime), approve);
    expect((await runtime.result("run-1")).text).toBe("All done.");
    expect(effects).toEqual(["refund all"]);
  });
});
