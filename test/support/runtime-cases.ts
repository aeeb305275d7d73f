import { Agent, type AgentClass, model } from "../../src/agent/index.js";
import { approve, approveEdited, deny } from "../../src/confirmation/index.js";
import type { PendingItem, RunServices, Runtime } from "../../src/durable/index.js";
import { type ChatModel, noUsage } from "../../src/models/index.js";
import { identifier } from "../../src/tool/index.js";
import { allOf, ask, beginAnew, calling, decided, effects, family, firstPending, gate, isWaiting, shop } from "./runtime-shop.js";

/**
 * What each runtime does, whatever carries on its runs. `open`: a runtime that carries on the runs of an agent, with nothing recorded yet.
 * `title`: of the first group of tests.
 */
export function runtimeCases(open: (agent: AgentClass, services?: RunServices) => Promise<Runtime>, title = "a runtime"): void {
  beforeEach(beginAnew);

  describe(title, () => {
    it("carries out a run with its context, and gives its response", async () => {
      const runtime = await open(shop(calling("look"), "It has a lamp."));
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
      const runtime = await open(agent);
      await Promise.all([1, 2, 3].map(() => runtime.start(agent, "Hi", { runId: "run-1" })));
      expect((await runtime.result("run-1")).text).toBe("Hello.");
      await runtime.start(agent, "Hi", { runId: "run-1" });
      expect(agent.scripted.requests).toHaveLength(1);
    });

    it("starts a run once, if start is repeated with a prompt of any size", async () => {
      const runtime = await open(shop("Hello."));
      const prompt = "x".repeat(3_000_000);
      for (let attempt = 0; attempt < 2; attempt++) await runtime.start("shop", prompt, { runId: "run-1", context: { a: 1, b: 2 } });
      expect((await runtime.result("run-1")).text).toBe("Hello.");
    });

    it("rejects an id that was used for another input", async () => {
      const runtime = await open(shop("Hello."));
      await runtime.start("shop", "Hi", { runId: "run-1" });
      await expect(runtime.start("shop", "Hi there", { runId: "run-1" })).rejects.toMatchObject({ name: "JournalError", reason: "exists" });
    });

    it.each([
      [{ load: () => undefined }, "context.user.load is a function"],
      [new Date(0), "context.user is an instance of Date"],
      [[1n], "context.user[0] is a bigint"],
      [{ "first name": Number.NaN }, 'context.user["first name"] is NaN'],
    ])("rejects a context that isn't JSON, by its path", async (user, path) => {
      await expect((await open(shop())).start("shop", "Hi", { context: { user } })).rejects.toThrow(
        `start: ${path}, which can't be recorded. Pass ids and flags as JSON`,
      );
    });

    it("records what it was given, whatever the caller does with its objects then", async () => {
      const runtime = await open(shop("One.", "Two."));
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
      await expect((await open(shop())).start("shop", "Hi", options as never)).rejects.toThrow(message);
    });

    it("answers a repeated start of a run that goes on at once", async () => {
      const runtime = await open(shop(calling("pay"), "Done."));
      await runtime.start("shop", "Pay", { runId: "run-1" });
      await isWaiting.opened;
      expect(await runtime.start("shop", "Pay", { runId: "run-1" })).toMatchObject({ status: "running" });
      gate.open();
      await runtime.result("run-1");
    });

    it("lists what waits behind runs that stopped without an answer", async () => {
      const runtime = await open(shop(calling("look"), calling("shop/refund")));
      await runtime.start("shop", "Look", { runId: "run-1", maxSteps: 1, context: { userId: "1" } });
      expect((await runtime.result("run-1")).reason).toBe("max_steps");
      await runtime.start("shop", "Refund", { runId: "run-2" });
      await firstPending(runtime);
      expect((await runtime.pending({ limit: 1 })).map(({ runId }) => runId)).toEqual(["run-2"]);
    });

    it("makes the container and the options of each run from its context", async () => {
      const seen: unknown[] = [];
      const runtime = await open(shop(calling("look"), "A lamp."), {
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
  });
  describe("decisions about a runtime's runs", () => {
    it.each([
      ["approved", approve, "refund all"],
      ["approved with other arguments", (item: PendingItem["confirmation"]) => approveEdited(item, { amount: 5 }), "refund 5"],
    ])("lets a call run that was %s", async (_, decide, effect) => {
      const runtime = await open(shop(calling("shop/refund"), "Done."));
      await runtime.start("shop", "Refund", { runId: "run-1" });
      const { callId, confirmation, kind } = await firstPending(runtime);
      expect({ kind, tool: confirmation.tool }).toEqual({ kind: "confirmation", tool: "shop/refund" });
      await runtime.decide("run-1", callId, decide(confirmation));
      expect((await runtime.result("run-1")).text).toBe("Done.");
      expect(effects).toEqual([effect]);
    });

    it("sends the model the reason of a denial", async () => {
      const agent = shop(calling("shop/refund"), "Then not.");
      const runtime = await open(agent);
      await runtime.start("shop", "Refund", { runId: "run-1" });
      const { callId, confirmation } = await firstPending(runtime);
      await runtime.decide("run-1", callId, deny(confirmation, "Too much."));
      await runtime.result("run-1");
      expect(effects).toEqual([]);
      expect(agent.scripted.requests.at(-1)?.messages.at(-1)).toMatchObject({
        role: "tool",
        content: expect.stringContaining("Too much."),
      });
    });

    it("counts the first of several at once", async () => {
      const runtime = await open(shop(calling("shop/refund"), "Done."));
      await runtime.start("shop", "Refund", { runId: "run-1" });
      const { callId, confirmation } = await firstPending(runtime);
      const decided = await Promise.allSettled([1, 2, 3, 4].map(() => runtime.decide("run-1", callId, approve(confirmation))));
      expect(decided.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      await runtime.result("run-1");
      expect(effects).toEqual(["refund all"]);
    });

    it("takes one while another call of the step still runs", async () => {
      const runtime = await open(shop(calling("pay", "shop/refund"), "Done."));
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
      const runtime = await open(shop(calling("shop/refund", "shop/refund"), "Done."), slow);
      await runtime.start("shop", "Refund twice", { runId: "run-1" });
      await firstPending(runtime);
      const [first, second] = await runtime.pending();
      await Promise.all([first, second].map((item, index) => decided(runtime, item, index === 0 ? approve : deny)));
      expect(await runtime.pending()).toEqual([]);
      expect((await runtime.result("run-1")).text).toBe("Done.");
      expect(effects).toEqual(["refund all"]);
    });

    it("rejects one that was made for another call, or with arguments that don't fit", async () => {
      const runtime = await open(shop(calling("shop/refund"), "Done."));
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
      const runtime = await open(shop(calling("shop/refund"), "Then not."), { options: () => ({ confirmationTimeout: 1 }) });
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
      const runtime = await open(shop(calling("shop/refund", "shop/refund"), "Done."));
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
  });
  describe("a run whose process ended", () => {});
  describe("cancel", () => {
    it("ends a run that waits: its call can't be approved any more", async () => {
      const runtime = await open(shop(calling("shop/refund")));
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
      const runtime = await open(shop(calling("pay"), "Never."));
      await runtime.start("shop", "Pay", { runId: "run-1" });
      await isWaiting.opened;
      expect(await runtime.cancel("run-1")).toMatchObject({ status: "ended", outcome: { reason: "aborted" } });
    });

    it("doesn't wait for services that never come", async () => {
      const runtime = await open(shop("Never."), { services: () => new Promise(() => undefined) });
      await runtime.start("shop", "Hi", { runId: "run-1" });
      expect(await runtime.cancel("run-1")).toMatchObject({ status: "ended" });
    });

    it("sends a reader the done event once", async () => {
      const runtime = await open(shop(calling("pay"), "Never."));
      await runtime.start("shop", "Pay", { runId: "run-1" });
      await isWaiting.opened;
      const reading = allOf(runtime.events("run-1"));
      await runtime.cancel("run-1");
      const last = (await reading).at(-1);
      expect(last?.event.type).toBe("done");
      expect(await allOf(runtime.events("run-1", { after: last?.id ?? "" }))).toEqual([]);
    });

    it("changes nothing of a run that has ended", async () => {
      const runtime = await open(shop("Hello."));
      await runtime.start("shop", "Hi", { runId: "run-1" });
      await runtime.result("run-1");
      expect(await runtime.cancel("run-1")).toMatchObject({ status: "ended", outcome: { reason: "success" } });
    });
  });
  describe("the events of a run", () => {
    it("come in their order, with pieces, until the run has ended", async () => {
      const runtime = await open(shop(calling("look"), "It has a lamp."));
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

    it("go on after any of them", async () => {
      const runtime = await open(shop(calling("look"), "It has a lamp."));
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

      const runtime = await open(Talker);
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
      const runtime = await open(shop(calling("shop/refund", "shop/refund"), "Done."));
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
      const runtime = await open(shop(calling("shop/refund")));
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
      const runtime = await open(shop("Hello."));
      await runtime.start("shop", "Hi", { runId: "run-1" });
      await expect(allOf(runtime.events("run-1", { after }))).rejects.toThrow("after must be the id of an event");
    });

    it("end for a reader whose signal is aborted, while the run goes on", async () => {
      const runtime = await open(shop(calling("pay"), "Done."));
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
  describe("drain", () => {});
  describe("a run with a sub-agent", () => {
    it("lets a person decide about a call of the sub-agent", async () => {
      const runtime = await open(family(calling("shop/refund"), "Refunded.", ask).Boss);
      await runtime.start("boss", "Go", { runId: "run-1" });
      await decided(runtime, await firstPending(runtime), approve);
      expect((await runtime.result("run-1")).text).toBe("All done.");
      expect(effects).toEqual(["refund all"]);
    });
  });
}
