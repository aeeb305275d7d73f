import { open as openFile } from "node:fs/promises";
import { join } from "node:path";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { FileStorage, MemoryStorage, type Storage } from "../../src/storage/index.js";
import { description, effect, identifier, Tool } from "../../src/tool/index.js";
import { storageForms } from "../support/storage-forms.js";
import { testDirectory } from "../support/storage-programs.js";
import { until } from "../support/until.js";

const directory = testDirectory("hard-runs");
const paid: string[] = [];
beforeEach(() => paid.splice(0));

/** What the tool gives back. */
let result: unknown = "Paid.";
beforeEach(() => {
  result = "Paid.";
});

@identifier("pay")
@description("Pays.")
@effect("once")
class PayTool extends Tool {
  call() {
    paid.push("pay");
    return typeof result === "function" ? (result() as unknown) : result;
  }
}

const calling: ScriptedStep = { toolCalls: [{ name: "pay" }] };

/** The model of the agent that the shop asks for help. */
let helping: ScriptedModel;

@identifier("helper")
@description("Pays for others.")
@model(() => helping)
@usesTools([PayTool])
class HelperAgent extends Agent {}

function shop(...steps: readonly ScriptedStep[]) {
  const scripted = new ScriptedModel(steps);

  @model(scripted)
  @usesTools([PayTool, HelperAgent])
  @identifier("shop")
  class ShopAgent extends Agent {}

  return { agent: new ShopAgent(), scripted };
}

let opened = 0;
const forms = storageForms("hard-runs");

/** A storage whose appends are made by `around`. */
function withAppends(storage: Storage, around: (append: () => Promise<void>) => Promise<void>): Storage {
  const { conversations, leases, claims, journals, leaseDuration } = storage;
  return {
    conversations,
    leases,
    claims,
    leaseDuration,
    journals: {
      append: (append, lease) => around(async () => journals.append(append, lease)),
      read: (runId, from) => journals.read(runId, from),
      list: (query) => journals.list(query),
      head: (runId) => journals.head(runId),
      delete: (runId) => journals.delete(runId),
    },
  };
}

type LeaseWork = "renew" | "release";

/** A storage whose leases throw at each first call of `broken`, key by key. `threw`: how often they did. */
function withBrokenLeases(storage: Storage, broken: LeaseWork) {
  const { leases } = storage;
  const failed = new Set<string>();
  const threw = { times: 0 };
  const orThrow = <Value>(work: LeaseWork, key: string, go: () => Value): Value => {
    if (work !== broken || failed.has(key)) return go();
    failed.add(key);
    threw.times += 1;
    throw new Error("The store is away.");
  };
  const journal: Storage = {
    ...withAppends(storage, (append) => append()),
    leases: {
      acquire: (...asked) => leases.acquire(...asked),
      renew: async (lease, duration) => orThrow("renew", lease.key, () => leases.renew(lease, duration)),
      release: async (lease) => orThrow("release", lease.key, () => leases.release(lease)),
    },
  };
  return { journal, threw };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The answer of a recorded run, as any process reads it. */
const answerOf = async (journal: Storage) => (await shop().agent.resume("run", { journal })).text;

describe.each(Object.keys(forms))("a run and a conversation in %s", (form) => {
  let storage: Storage;
  const open = (options?: { readonly leaseDuration: number }) => {
    const make = forms[form] ?? (() => new MemoryStorage());
    storage = make(`${opened++}`, options);
    return storage;
  };
  afterEach(() => storage.close?.());

  it("work with a context that holds a function and a client", async () => {
    const journal = open();
    const toolContext = { userId: "ada", client: { send: () => undefined, self: null as unknown } };
    toolContext.client.self = toolContext;
    const { agent } = shop(calling, "Done.");
    await agent.generate("Pay.", { journal, runId: "run", toolContext });
    await agent.save(journal.conversations, "ada");
    expect(await answerOf(journal)).toBe("Done.");
    expect((await shop().agent.load(journal.conversations, "ada")).messages).toEqual(agent.messages);
  });

  it("work with a result of 10 MB", async () => {
    result = "é".repeat(5_000_000);
    const journal = open();
    const { agent } = shop(calling, "Done.");
    await agent.generate("Pay.", { journal, runId: "run" });
    await agent.save(journal.conversations, "ada");
    expect(await answerOf(journal)).toBe("Done.");
    expect((await shop().agent.load(journal.conversations, "ada")).messages).toEqual(agent.messages);
    const entries = [{ kind: "test", text: result }];
    const lease = await journal.leases.acquire("run large", "me", 60_000);
    await journal.journals.append({ runId: "large", agent: "shop", status: "running", position: 0, entries }, lease);
    expect((await journal.journals.read("large")).map((entry) => (entry as unknown as { text: string }).text.length)).toEqual([5_000_000]);
    expect(await journal.journals.head("large")).toMatchObject({ length: 1 });
  });

  it("lose nothing if the store is slow", async () => {
    const journal = withAppends(open(), async (append) => {
      await pause(5 + Math.random() * 20);
      await append();
    });
    const { agent } = shop(calling, calling, calling, "Done.");
    agent.onMessage(() => agent.save(journal.conversations, "ada"));
    await agent.generate("Pay.", { journal, runId: "run" });
    await agent.save(journal.conversations, "ada");
    expect(paid).toHaveLength(3);
    expect(await answerOf(journal)).toBe("Done.");
    expect((await journal.conversations.load("ada"))?.messages).toHaveLength(8);
  });

  it.each(["before", "after"])("lose nothing and pay once if a write throws %s it arrived", async (when) => {
    for (let broken = 1; broken <= 4; broken++) {
      const journal = open();
      let writes = 0;
      const breaking = withAppends(journal, async (append) => {
        const isBroken = ++writes === broken;
        if (isBroken && when === "before") throw new Error("The store is away.");
        await append();
        if (isBroken) throw new Error("The connection was lost.");
      });
      paid.splice(0);
      await shop(calling, "Done.").agent.generate("Pay.", { journal: breaking, runId: "run" });
      expect(paid).toEqual(["pay"]);
      const kinds = (await journal.journals.read("run")).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === "call_begun" || kind === "call_finished")).toEqual(["call_begun", "call_finished"]);
      expect(await answerOf(journal)).toBe("Done.");
      await journal.close?.();
    }
  });

  it("answer and pay once if the lease can't be given back, with a warning, also for a sub-agent", async () => {
    const stored = open();
    const { journal, threw } = withBrokenLeases(stored, "release");
    const warned = jest.spyOn(process, "emitWarning").mockImplementation();
    try {
      helping = new ScriptedModel([calling, "Paid by the helper."]);
      const { agent, scripted } = shop({ toolCalls: [{ name: "helper", arguments: { prompt: "Pay." } }] }, "Done.");
      expect(await agent.generate("Pay.", { journal, runId: "run" })).toMatchObject({ reason: "success", text: "Done." });
      expect(scripted.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: "Paid by the helper." });
      expect(paid).toEqual(["pay"]);
      expect(threw.times).toBe(2);
      expect(warned.mock.calls.map(([text]) => text)).toContainEqual(
        expect.stringMatching(/^The lease of "run run" couldn't be given back, and ends by itself at .*: Error: The store is away\./),
      );
    } finally {
      warned.mockRestore();
    }
    expect(await stored.journals.head("run")).toMatchObject({ status: "ended" });
  });

  it("answer and pay once if a renewal of the lease fails, also for a sub-agent", async () => {
    const { journal, threw } = withBrokenLeases(open({ leaseDuration: 300 }), "renew");
    const whenRenewed = async (step: Exclude<ScriptedStep, (...given: never[]) => unknown>) => {
      await until(() => threw.times === 2);
      // Both leases would have ended by now if nothing had renewed them again.
      await pause(400);
      return step;
    };
    helping = new ScriptedModel([calling, () => whenRenewed("Paid by the helper.")]);
    const { agent } = shop({ toolCalls: [{ name: "helper", arguments: { prompt: "Pay." } }] }, "Done.");
    expect(await agent.generate("Pay.", { journal, runId: "run" })).toMatchObject({ reason: "success", text: "Done." });
    expect(paid).toEqual(["pay"]);
  });

  it("keep others away for longer than a lease lasts, because it is renewed", async () => {
    const leaseDuration = 400;
    const journal = open({ leaseDuration });
    const refusals: string[] = [];
    let isPaying = false;
    result = () => {
      isPaying = true;
      return pause(3 * leaseDuration).then(() => "Paid.");
    };
    const first = shop(calling, "Done.").agent.generate("Pay.", { journal, runId: "run" });
    await until(() => isPaying);
    const isOver = first.then(() => true);
    while (!(await Promise.race([isOver, pause(20).then(() => false)]))) {
      const rival = shop(calling, "Done.").agent.resume("run", { journal });
      refusals.push(
        await rival.then(
          ({ reason }) => reason,
          (error: Error) => error.name,
        ),
      );
    }
    expect((await first).text).toBe("Done.");
    // The last rival may have come after the run had ended: it reads the answer.
    expect(new Set(refusals.slice(0, -1))).toEqual(new Set(["LeaseHeldError"]));
    expect(paid).toEqual(["pay"]);
  });

  it("leave the run to the process that took over, if the store answered after the lease had ended", async () => {
    const journal = open({ leaseDuration: 60 });
    let isCut = false;
    // The renewals of the first process don't arrive either.
    const renewing = {
      ...journal.leases,
      acquire: journal.leases.acquire.bind(journal.leases),
      release: journal.leases.release.bind(journal.leases),
    };
    const cut: Storage = {
      ...withAppends(journal, async (append) => {
        if (isCut) await second;
        await append();
      }),
      leases: {
        ...renewing,
        renew: async (lease, duration) => (isCut ? new Promise(() => undefined) : journal.leases.renew(lease, duration)),
      },
    };
    let takeOver = (): void => undefined;
    const second = new Promise<void>((resolve) => {
      takeOver = resolve;
    });
    const first = shop(() => {
      isCut = true;
      return calling as Exclude<typeof calling, (...given: never[]) => unknown>;
    }).agent.generate("Pay.", { journal: cut, runId: "run" });
    const failed = first.catch((error: Error) => error.name);
    for (;;) {
      const heads = await journal.journals.list({ unleased: true });
      if (heads.length > 0) break;
      await pause(20);
    }
    // On a busy machine the second process would lose so short a lease, too.
    const patient = { ...withAppends(journal, (append) => append()), leaseDuration: 60_000 };
    const response = await shop(calling, "Done.").agent.resume("run", { journal: patient });
    takeOver();
    expect(await failed).toBe("LeaseLostError");
    expect([response.text, paid]).toEqual(["Done.", ["pay"]]);
    expect(await answerOf(journal)).toBe("Done.");
  });

  it.each([
    ["forward", 3_600_000],
    ["back", -3_600_000],
  ])("lose nothing if the clock of the process jumps %s", async (_where, jump) => {
    const journal = open();
    const now = Date.now.bind(Date);
    const clock = jest.spyOn(Date, "now");
    try {
      const { agent } = shop(
        () => {
          clock.mockImplementation(() => now() + jump);
          return { toolCalls: [{ name: "pay" }] };
        },
        calling,
        "Done.",
      );
      await agent.generate("Pay.", { journal, runId: "run" });
      await agent.save(journal.conversations, "ada");
    } finally {
      clock.mockRestore();
    }
    expect(paid).toHaveLength(2);
    expect(await answerOf(journal)).toBe("Done.");
    expect((await journal.conversations.load("ada"))?.messages).toHaveLength(6);
  });
});

describe("a run, if the clock of the store jumps", () => {
  /** Leases by a clock that differs from the process's by `ahead`. */
  function clocked() {
    const storage = new MemoryStorage();
    const real = performance.now.bind(performance);
    const clock = { ahead: 0 };
    const byStore = <Value>(work: () => Value): Value => {
      const now = jest.spyOn(performance, "now").mockImplementation(() => real() + clock.ahead);
      try {
        return work();
      } finally {
        now.mockRestore();
      }
    };
    const { leases } = storage;
    const journal: Storage = {
      ...withAppends(storage, (append) => byStore(append)),
      leases: {
        acquire: (key, owner, duration) => byStore(() => leases.acquire(key, owner, duration)),
        renew: (lease, duration) => byStore(() => leases.renew(lease, duration)),
        release: (lease) => byStore(() => leases.release(lease)),
      },
    };
    return { journal, clock };
  }

  it("forward, is left to the one that takes over, and pays once", async () => {
    const { journal, clock } = clocked();
    const second: Promise<unknown>[] = [];
    const first = shop(async () => {
      clock.ahead = 3_600_000;
      second.push(shop(calling, "Done.").agent.resume("run", { journal }));
      await second[0];
      return { toolCalls: [{ name: "pay" }] };
    }).agent.generate("Pay.", { journal, runId: "run" });
    await expect(first).rejects.toMatchObject({ name: "LeaseLostError" });
    expect([paid, await answerOf(journal)]).toEqual([["pay"], "Done."]);
  });

  it("back, goes on to its end, and is free then", async () => {
    const { journal, clock } = clocked();
    const { agent } = shop(() => {
      clock.ahead = -3_600_000;
      return { toolCalls: [{ name: "pay" }] };
    }, "Done.");
    expect((await agent.generate("Pay.", { journal, runId: "run" })).text).toBe("Done.");
    expect([paid, await answerOf(journal)]).toEqual([["pay"], "Done."]);
  });
});

describe("a run and a conversation in files, if the disk is full", () => {
  /** From now on, writes store half of what they should, as often as `times` says. */
  async function diskFull(times: number) {
    const handle = await openFile(join(directory, "any"), "w");
    const prototype = Object.getPrototypeOf(handle) as Record<"write" | "writeFile", (...given: unknown[]) => Promise<unknown>>;
    await handle.close();
    const full = { left: times };
    const { write } = prototype;
    jest.spyOn(prototype, "write").mockImplementation(async function (this: unknown, buffer, offset, length, position) {
      if (full.left-- <= 0) return write.call(this, buffer, offset, length, position);
      await write.call(this, buffer, offset, Math.floor((length as number) / 2), position);
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    });
    return full;
  }
  afterEach(() => jest.restoreAllMocks());

  it("goes on if there is room again for the next attempt", async () => {
    const storage = new FileStorage(join(directory, `${opened++}`));
    await diskFull(1);
    await shop(calling, "Done.").agent.generate("Pay.", { journal: storage, runId: "run" });
    expect([paid, await answerOf(storage)]).toEqual([["pay"], "Done."]);
    await storage.close();
  });

  it("begins nothing with an effect, says which file has no room, and goes on later", async () => {
    const storage = new FileStorage(join(directory, `${opened++}`));
    let full = { left: 0 };
    const { agent } = shop(async () => {
      full = await diskFull(1_000);
      return { toolCalls: [{ name: "pay" }] };
    });
    await expect(agent.generate("Pay.", { journal: storage, runId: "run" })).rejects.toMatchObject({
      name: "StorageError",
      reason: "unavailable",
      message: expect.stringMatching(
        /run-.*\.jsonl can't be written: ENOSPC: no space left on device, write\. Nothing was stored\. Free some space, then repeat the call\.$/,
      ),
    });
    expect(paid).toEqual([]);
    full.left = 0;
    await storage.close();
    expect((await shop(calling, "Done.").agent.resume("run", { journal: storage })).text).toBe("Done.");
    expect(paid).toEqual(["pay"]);
    await storage.close();
  });
});
