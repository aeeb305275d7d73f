import { Agent, model, toolSearch, usesTools } from "../../../src/agent/index.js";
import { approve } from "../../../src/confirmation/index.js";
import { ScriptedModel, type ScriptedStep } from "../../../src/models/index.js";
import { type JournalAppend, MemoryStorage } from "../../../src/storage/index.js";
import {
  category,
  createTool,
  deferred,
  description,
  effect,
  identifier,
  requiresConfirmation,
  Tool,
  type ToolContext,
} from "../../../src/tool/index.js";
import { afterCrash, kindsOf, watchedStorage } from "../../support/journals.js";

const effects: string[] = [];
beforeEach(() => effects.splice(0));

@identifier("pay")
@description("Pays.")
@effect("once")
class PayTool extends Tool {
  call() {
    effects.push("pay");
    return "Paid.";
  }
}

@identifier("fail")
@description("Fails.")
@effect("idempotent")
class FailTool extends Tool {
  call() {
    effects.push("fail");
    throw new Error("No.");
  }
}

@identifier("look")
@description("Looks.")
@category("read")
class LookTool extends Tool {
  call() {
    effects.push("look");
    return "A lamp.";
  }
}

@identifier("wait")
@description("Waits until it is aborted.")
@effect("once")
class WaitTool extends Tool {
  call({ abortSignal }: ToolContext) {
    return new Promise((resolve) => abortSignal.addEventListener("abort", resolve));
  }
}

@identifier("refund")
@description("Refunds.")
@requiresConfirmation()
class RefundTool extends Tool {
  call() {
    effects.push("refund");
    return "Refunded.";
  }
}

const calling = (...names: readonly string[]): ScriptedStep => ({ toolCalls: names.map((name) => ({ name })) });

/** An answer that comes after the store has written what was before it. */
const later =
  (step: ScriptedStep): ScriptedStep =>
  () =>
    new Promise((resolve) => setTimeout(() => resolve(step as string), 10));

function shop(...steps: readonly ScriptedStep[]) {
  const scripted = new ScriptedModel(steps);

  @model(scripted)
  @usesTools([PayTool, FailTool, LookTool, RefundTool, WaitTool])
  @identifier("shop")
  class ShopAgent extends Agent {}

  return { agent: new ShopAgent(), scripted };
}

describe("the journal of a run", () => {
  it("gets two writes for a step with an effect: the answer with its calls, and the results with the closed step", async () => {
    const { storage, appends } = watchedStorage();
    await shop(later(calling("pay", "pay", "pay")), later("Paid.")).agent.generate("Pay.", { journal: storage });
    expect(appends.map(kindsOf)).toEqual([
      ["began", "started"],
      ["prefix", "model_answered", "call_begun", "call_begun", "call_begun"],
      ["call_finished", "call_finished", "call_finished"],
      ["model_answered"],
    ]);
  });

  it("has the names of deferred tools once they are found, in place of all", async () => {
    const { storage, appends } = watchedStorage();
    const named = (name: string) => createTool(name, "Pays an order back.", { type: "object" }, () => "Done.");
    const tools = [named("billing/refund"), named("billing/other")];
    const searching: ScriptedStep = { toolCalls: [{ name: "search_tools", arguments: { query: "refund" } }] };
    const scripted = new ScriptedModel([searching, calling("billing_refund"), "Done.", "Welcome."]);

    @model(scripted)
    @usesTools([deferred({ name: "billing", tools })])
    @toolSearch(() => ["billing/refund"])
    class BillingAgent extends Agent {}

    const agent = new BillingAgent();
    await agent.generate("Refund it.", { journal: storage });
    await agent.generate("Thanks.", { journal: storage });
    const entries = appends.flatMap((append) => append.entries as readonly { readonly kind: string; readonly toolNames?: unknown }[]);
    const toolNames = { billing_refund: "billing/refund" };
    expect(entries.flatMap((entry) => (entry.toolNames === undefined ? [] : [[entry.kind, entry.toolNames]]))).toEqual([
      ["changed", toolNames],
      ["began", toolNames],
    ]);
  });

  it("isn't waited for by tools that only read", async () => {
    let isOpen = true;
    const { storage } = watchedStorage(async ({ entries }) => {
      if (entries.some(({ kind }) => kind === "call_finished")) isOpen = false;
      else if (entries.some(({ kind }) => kind === "model_answered")) throw new Error("The tool waited for this.");
    });
    await shop(calling("look"), "A lamp.").agent.generate("Look.", { journal: storage });
    expect(isOpen).toBe(false);
  });

  it("has entries of the same size for each step, however long the history is", async () => {
    const { storage, appends } = watchedStorage();
    const steps = Array.from({ length: 40 }, () => later(calling("pay")));
    await shop(...steps, "Paid.").agent.generate("Pay.", { journal: storage, maxSteps: 100 });
    const sizes = appends.slice(1, -1).map((append) => JSON.stringify(append.entries).length);
    expect(Math.max(...sizes.slice(-10))).toBeLessThanOrEqual(Math.max(...sizes.slice(2, 12)) + 10);
  });

  it("takes as many bytes and writes for step 1,000 as for step 10", async () => {
    const { storage, memory, appends } = watchedStorage();
    const steps = Array.from({ length: 1_000 }, () => calling("pay"));
    await shop(...steps, "Paid.").agent.generate("Pay.", { journal: storage, runId: "run", maxSteps: 1_001 });
    expect(effects).toHaveLength(1_000);
    const bytes: number[] = [];
    for (const entry of await memory.journals.read("run")) {
      if (entry.kind === "model_answered") bytes.push(0);
      // Ids of calls have a number, whose digits grow.
      if (bytes.length > 0) bytes.push((bytes.pop() ?? 0) + JSON.stringify(entry).replaceAll(/call_\d+/g, "call").length);
    }
    expect(bytes).toHaveLength(1_001);
    expect(bytes[999]).toBe(bytes[9]);
    expect(appends.length).toBeLessThanOrEqual(2 * 1_000 + 2);
  });

  it("says whether a run is running, waits or has ended", async () => {
    const storage = new MemoryStorage();
    await shop("Hello.").agent.generate("Hello", { journal: storage, runId: "ended" });
    await shop(calling("refund")).agent.generate("Refund.", { journal: storage, runId: "waiting" });
    const { appends } = await watched(calling("pay"), "Paid.");
    const cut = await afterCrash(appends, 2);
    expect([storage.journals.head("ended"), storage.journals.head("waiting"), cut.journals.head("run")]).toEqual([
      expect.objectContaining({ agent: "shop", status: "ended" }),
      expect.objectContaining({ status: "waiting" }),
      expect.objectContaining({ status: "running" }),
    ]);
  });

  it("keeps the failed attempts of tools", async () => {
    const { appends } = await watched(later(calling("fail")), later(calling("fail")), later("No."));
    const storage = await afterCrash(appends, appends.length - 1);
    const { agent, scripted } = shop(calling("fail"), calling("fail"), "I give up.");
    await agent.resume("run", { journal: storage });
    expect(scripted.requests.at(-1)?.messages.at(-1)?.content).toContain("failed 3 times in this run");
  });

  it("gives its run's id to the response, and refuses the id a second time", async () => {
    const storage = new MemoryStorage();
    const response = await shop("Hello.").agent.generate("Hello", { journal: storage, runId: "mine" });
    expect(response.runId).toBe("mine");
    await expect(shop("Hello.").agent.generate("Hello", { journal: storage, runId: "mine" })).rejects.toMatchObject({
      name: "JournalError",
      reason: "exists",
    });
  });

  it("can't be read by an agent of another name, without its entries, or with entries of a newer version", async () => {
    const storage = new MemoryStorage();
    await shop("Hello.").agent.generate("Hello", { journal: storage, runId: "mine" });

    @model(new ScriptedModel([]))
    @identifier("other")
    class OtherAgent extends Agent {}
    const reasonOf = (runId: string, journal = storage) =>
      new OtherAgent().resume(runId, { journal }).catch((error: { readonly reason?: string }) => error.reason);
    const changed = async (change: (append: JournalAppend) => unknown) => {
      const { appends } = await watched("Hello.");
      return afterCrash(appends.map(change) as JournalAppend[], 9);
    };
    const newer = await changed((append) => ({ ...append, entries: append.entries.map((entry) => ({ ...entry, version: 2 })) }));
    const unknown = await changed((append) => ({
      ...append,
      entries: append.entries.map((entry) => (entry.kind === "began" ? entry : { kind: "dreamt" })),
    }));
    expect([await reasonOf("mine"), await reasonOf("yours"), await reasonOf("run", newer), await reasonOf("run", unknown)]).toEqual([
      "other_agent",
      "unknown",
      "version",
      "kind",
    ]);
  });

  it("takes a write again that failed once, without entries twice", async () => {
    let failures = 0;
    const memory = new MemoryStorage();
    const journals = Object.create(memory.journals) as typeof memory.journals;
    const { leases } = memory;
    const journal = {
      leases,
      journals: {
        append: (...[append, lease]: Parameters<typeof journals.append>) => {
          memory.journals.append(append, lease);
          if (failures++ === 1) throw new Error("The answer of the database got lost.");
        },
        read: (runId: string) => memory.journals.read(runId),
        head: (runId: string) => memory.journals.head(runId),
        list: () => memory.journals.list(),
        delete: (runId: string) => memory.journals.delete(runId),
      },
    };
    const response = await shop(calling("pay"), "Paid.").agent.generate("Pay.", { journal, runId: "run" });
    expect(response.reason).toBe("success");
    expect(effects).toEqual(["pay"]);
    const kinds = (await memory.journals.read("run")).map(({ kind }) => kind);
    expect(kinds).toEqual(["began", "started", "prefix", "model_answered", "call_begun", "call_finished", "model_answered"]);
  });

  it("lets no call with an effect begin while the store is away, and the run goes on from what it has", async () => {
    let isAway = false;
    const { storage, memory } = watchedStorage(() => {
      if (isAway) throw new Error("connect ECONNREFUSED");
    });
    const { agent } = shop(() => {
      isAway = true;
      return { toolCalls: [{ name: "pay" }] };
    });
    await expect(agent.generate("Pay.", { journal: storage, runId: "run" })).rejects.toThrow("ECONNREFUSED");
    expect(effects).toEqual([]);
    const response = await shop(calling("pay"), "Paid.").agent.resume("run", { journal: memory });
    expect(response).toMatchObject({ reason: "success", text: "Paid." });
    expect(effects).toEqual(["pay"]);
  });
});

async function watched(...steps: readonly ScriptedStep[]) {
  const { storage, appends } = watchedStorage();
  await shop(...steps).agent.generate("Do it.", { journal: storage, runId: "run" });
  return { appends };
}

describe("a run that somebody carries on", () => {
  it("can't be resumed by a second: of five at once one runs", async () => {
    const { appends } = await watched(calling("look"), calling("pay"), "Paid.");
    const storage = await afterCrash(appends, 1);
    effects.splice(0);
    const all = await Promise.allSettled(
      Array.from({ length: 5 }, () => shop(calling("pay"), "Paid.").agent.resume("run", { journal: storage })),
    );
    const errors = all.flatMap((one) => (one.status === "rejected" ? [(one.reason as Error).name] : []));
    expect(errors).toEqual(Array.from({ length: 4 }, () => "LeaseHeldError"));
    expect(effects).toEqual(["pay"]);
  });

  it("goes on once if it was interrupted and five resume it at once, by its id or its state", async () => {
    const storage = new MemoryStorage();
    const { agent } = shop(() => {
      agent.interrupt("The process ends.");
      return { toolCalls: [{ name: "pay" }] };
    });
    const { reason, state } = await agent.generate("Pay.", { journal: storage, runId: "run" });
    expect([reason, effects]).toEqual(["interrupted", []]);
    const all = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) =>
        shop("Paid.").agent.resume(index % 2 === 0 || state === undefined ? "run" : state, { journal: storage }),
      ),
    );
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(effects).toEqual(["pay"]);
  });

  it("is stopped if another process took over, and what it wanted to do doesn't begin", async () => {
    const storage = new MemoryStorage({ leaseDuration: 30 });
    const { agent } = shop(async () => {
      // The process hangs for so long that its lease can't be renewed.
      const end = performance.now() + 60;
      while (performance.now() < end);
      const taken = await storage.leases.acquire("run run", "another process", 60_000);
      expect(taken.owner).toBe("another process");
      return { toolCalls: [{ name: "pay" }] };
    });
    await expect(agent.generate("Pay.", { journal: storage, runId: "run" })).rejects.toMatchObject({ name: "LeaseLostError" });
    expect(effects).toEqual([]);
  });

  it("has no end of a run whose lease couldn't be renewed: it goes on in another process", async () => {
    const storage = new MemoryStorage({ leaseDuration: 500 });
    jest.spyOn(storage.leases, "renew").mockImplementation(() => {
      throw new Error("The store is away.");
    });
    const { agent } = shop(calling("wait"), "Never.");
    await expect(agent.generate("Wait.", { journal: storage, runId: "run" })).rejects.toMatchObject({ name: "LeaseLostError" });
    expect(storage.journals.head("run")).toMatchObject({ status: "running" });
    jest.restoreAllMocks();
    expect((await shop("Done.").agent.resume("run", { journal: storage })).text).toBe("Done.");
  });
});

describe("a recorded run that waits", () => {
  it("isn't resumed from its state alone", async () => {
    const storage = new MemoryStorage();
    const { state } = await shop(calling("refund")).agent.generate("Refund.", { journal: storage });
    const resuming = shop("Refunded.").agent.resume(state as NonNullable<typeof state>, { decisions: [approve("call_1")] });
    await expect(resuming).rejects.toMatchObject({ name: "RunStateError", reason: "journal" });
    expect(effects).toEqual([]);
  });

  it("goes on from the journal, whatever older state it is given", async () => {
    const storage = new MemoryStorage();
    const { state } = await shop(calling("refund")).agent.generate("Refund.", { journal: storage });
    const options = { journal: storage, decisions: [approve("call_1")] };
    await shop("Refunded.").agent.resume(state as NonNullable<typeof state>, options);
    const again = shop("Refunded.").agent.resume(state as NonNullable<typeof state>, options);
    await expect(again).rejects.toMatchObject({ name: "DecisionError", reason: "unknown_call" });
    expect(effects).toEqual(["refund"]);
  });

  it("can't be resumed after its conversation went on, in this process or another", async () => {
    const storage = new MemoryStorage();
    const { agent, scripted } = shop(calling("refund"), "As you like.");
    const { runId } = await agent.generate("Refund.", { journal: storage });
    await agent.generate("No.", { journal: storage });
    expect(scripted.requests.at(-1)?.messages.find(({ role }) => role === "tool")?.content).toContain("Not run");
    const resuming = shop().agent.resume(runId, { journal: storage, decisions: [approve("call_1")] });
    await expect(resuming).rejects.toMatchObject({ name: "RunStateError", reason: "given_up" });
    expect(await storage.journals.head(runId)).toMatchObject({ status: "ended" });
  });

  it("isn't called not run if it went on in another process", async () => {
    const storage = new MemoryStorage();
    const { agent, scripted } = shop(calling("refund"), "As you like.");
    const { runId } = await agent.generate("Refund.", { journal: storage });
    await shop("Refunded.").agent.resume(runId, { journal: storage, decisions: [approve("call_1")] });
    await agent.generate("No.", { journal: storage });
    expect(scripted.requests.at(-1)?.messages.find(({ role }) => role === "tool")?.content).toContain(
      "It isn't known whether this call ran",
    );
  });
});

describe("a sub-agent of a recorded run", () => {
  function family(inner: readonly ScriptedStep[], ...outer: readonly ScriptedStep[]) {
    @model(new ScriptedModel(inner))
    @usesTools([PayTool, RefundTool])
    @identifier("clerk")
    @description("Pays bills.")
    class ClerkAgent extends Agent {}

    const scripted = new ScriptedModel(outer);
    @model(scripted)
    @usesTools([ClerkAgent])
    @identifier("boss")
    class BossAgent extends Agent {}
    return { agent: new BossAgent(), scripted };
  }

  const delegate: ScriptedStep = { toolCalls: [{ name: "clerk", arguments: { prompt: "Pay the bill." } }] };

  it("goes on where it was when the process ended", async () => {
    const { storage, appends } = watchedStorage();
    await family([later(calling("pay")), later("I paid.")], delegate, later("All paid.")).agent.generate("Pay.", {
      journal: storage,
      runId: "run",
    });
    expect(effects.splice(0)).toEqual(["pay"]);
    const paid = 1 + appends.findIndex(({ runId, entries }) => runId !== "run" && entries.some(({ kind }) => kind === "call_finished"));
    const { agent, scripted } = family(["I paid."], "All paid.");
    const response = await agent.resume("run", { journal: await afterCrash(appends, paid) });
    expect(response).toMatchObject({ reason: "success", text: "All paid." });
    expect(scripted.requests.at(-1)?.messages.at(-1)?.content).toBe("I paid.");
    expect(effects).toEqual([]);
  });

  it("gives the answer that it had given before the process ended", async () => {
    const { storage, appends } = watchedStorage();
    await family([later("I paid.")], delegate, later("All paid.")).agent.generate("Pay.", { journal: storage, runId: "run" });
    const answered = 1 + appends.findLastIndex(({ runId }) => runId !== "run");
    const { agent, scripted } = family([], "All paid.");
    await agent.resume("run", { journal: await afterCrash(appends, answered) });
    expect(scripted.requests.at(-1)?.messages.at(-1)?.content).toBe("I paid.");
  });

  it("records nothing more once another process took over the run that called it", async () => {
    const storage = new MemoryStorage({ leaseDuration: 500 });
    const { renew } = storage.leases;
    // The store renews the lease of the sub-agent's run alone.
    jest.spyOn(storage.leases, "renew").mockImplementation((lease, duration) => {
      return lease.key === "run run" ? undefined : renew.call(storage.leases, lease, duration);
    });

    @model(new ScriptedModel([calling("wait"), "Never."]))
    @usesTools([WaitTool])
    @identifier("helper")
    @description("Helps.")
    class HelperAgent extends Agent {}

    @model(new ScriptedModel([{ toolCalls: [{ id: "call_1", name: "helper", arguments: { prompt: "Wait." } }] }, "Never."]))
    @usesTools([HelperAgent])
    class CallingAgent extends Agent {}

    const running = new CallingAgent().generate("Help.", { journal: storage, runId: "run" });
    await expect(running).rejects.toMatchObject({ name: "LeaseLostError" });
    const kinds = (await storage.journals.read("run/call_1")).map(({ kind }) => kind);
    expect(kinds).toEqual(["began", "started", "prefix", "model_answered", "call_begun"]);
    jest.restoreAllMocks();
  });

  it("waits for a person, and goes on with the decision", async () => {
    const storage = new MemoryStorage();
    const { confirmations = [] } = await family([calling("refund")], delegate).agent.generate("Pay.", { journal: storage, runId: "run" });
    const decisions = confirmations.map((confirmation) => approve(confirmation));
    const response = await family(["I refunded."], "Refunded.").agent.resume("run", { journal: storage, decisions });
    expect(response).toMatchObject({ reason: "success", text: "Refunded." });
    expect(effects).toEqual(["refund"]);
  });
});
