import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { approve } from "../../src/confirmation/index.js";
import { InProcessRuntime } from "../../src/durable/index.js";
import { FileStorage, MemoryStorage, SqliteStorage, type Storage } from "../../src/storage/index.js";
import {
  approveFirst,
  drainAll,
  expectPauseToSurvive,
  expectTurnsToSurvive,
  firstPending,
  happened,
  moments,
  pauseMoments,
  runtimeOn,
  saidIn,
  ShopAgent,
  start,
} from "../support/conversation-runs.js";
import { mortalStorage } from "../support/mortal-storage.js";
import { agentHandler } from "../../src/web/index.js";

let directory: string;
let opened = 0;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "conversations-"));
});
beforeEach(() => happened.splice(0));
afterEach(drainAll);
afterAll(() => rm(directory, { recursive: true, force: true }));

const hasSqlite = process.getBuiltinModule?.("node:sqlite") !== undefined;
const leaseDuration = 150;
const forms: readonly (readonly [string, () => Storage])[] = [
  ["memory", () => new MemoryStorage({ leaseDuration })],
  ["files", () => new FileStorage(join(directory, String(opened++)), { leaseDuration })],
  ...(hasSqlite ? [["SQLite", () => new SqliteStorage(join(directory, `${opened++}.sqlite`), { leaseDuration })] as const] : []),
];

describe.each(forms)("a run in a stored conversation (%s)", (_, open) => {
  let storage: Storage;
  beforeEach(() => {
    storage = open();
  });
  afterEach(() => storage.close?.());

  it("begins with the history, and leaves its messages there", async () => {
    const runtime = runtimeOn(storage);
    await start(runtime, "run-1", "Hello");
    await runtime.result("run-1");
    expect(await runtime.status("run-1")).toMatchObject({ status: "ended", conversation: "ada" });
    expect(await saidIn(storage)).toEqual(["Hello", "Answer 1 to Hello"]);
    await start(runtime, "run-2", "pay now");
    const { messages, text } = await runtime.result("run-2");
    expect(text).toBe("Answer 2 to pay now");
    expect(messages[0]).toMatchObject({ role: "user", content: "pay now" });
    expect(await saidIn(storage)).toEqual(["Hello", "Answer 1 to Hello", "pay now", "Paid.", "Answer 2 to pay now"]);
  });

  it.each(moments)("leaves each turn there once if the process dies %s", (_moment, momentOf) => expectTurnsToSurvive(storage, momentOf()));

  it.each(pauseMoments)("leaves the turn of a run that waited there once if the process dies %s", (_moment, momentOf) =>
    expectPauseToSurvive(storage, momentOf()),
  );
});

describe("several runs of one conversation", () => {
  it("go on one after another, in their order", async () => {
    const storage = new MemoryStorage();
    const runtime = runtimeOn(storage);
    const prompts = ["A", "B", "C", "D"];
    await Promise.all(prompts.map((prompt) => start(runtime, `run-${prompt}`, prompt)));
    await runtime.result("run-D");
    expect(await saidIn(storage)).toEqual(prompts.flatMap((prompt, index) => [prompt, `Answer ${index + 1} to ${prompt}`]));
  });

  it("go on one after another in several processes, and no turn is lost", async () => {
    const storage = new MemoryStorage();
    const processes = [1, 2, 3].map(() => runtimeOn(storage));
    const prompts = Array.from({ length: 6 }, (_, index) => `Q${index}`);
    await Promise.all(prompts.map((prompt, index) => start(processes[index % 3] ?? runtimeOn(storage), prompt, prompt)));
    for (const prompt of prompts) await processes[0]?.result(prompt);
    const said = await saidIn(storage);
    expect(said.filter((_, index) => index % 2 === 0).sort()).toEqual(prompts);
    expect(said.filter((_, index) => index % 2 === 1)).toEqual(
      said.filter((_, index) => index % 2 === 0).map((prompt, index) => `Answer ${index + 1} to ${prompt}`),
    );
  });

  it("don't wait for those of others", async () => {
    const runtime = runtimeOn(new MemoryStorage());
    await start(runtime, "run-1", "refund it");
    await runtime.start("shop", "Hello", { runId: "run-2", conversation: "bob" });
    expect((await runtime.result("run-2")).text).toBe("Answer 1 to Hello");
  });

  it("leave out one that was cancelled before it began", async () => {
    const storage = new MemoryStorage();
    const lease = await storage.leases.acquire("conversation ada", "somebody else", 60_000);
    const runtime = runtimeOn(storage);
    await start(runtime, "run-1", "Hello");
    await start(runtime, "run-2", "Never");
    expect(await runtime.cancel("run-2")).toMatchObject({ status: "ended", outcome: { reason: "aborted" } });
    expect(await runtime.status("run-1")).toMatchObject({ status: "queued" });
    await storage.leases.release(lease);
    await runtime.result("run-1");
    expect(await saidIn(storage)).toEqual(["Hello", "Answer 1 to Hello"]);
  });

  it("wait for one that another process left in the middle", async () => {
    const storage = new MemoryStorage();
    const first = runtimeOn(storage);
    await start(first, "run-1", "refund it");
    await firstPending(first);
    await first.drain();
    const { callId, confirmation } = await firstPending(runtimeOn(storage, [ShopAgent]));
    await first.decide("run-1", callId, approve(confirmation));

    const second = runtimeOn(storage);
    await start(second, "run-2", "And?");
    await second.result("run-2");
    expect(happened).toEqual(["refund"]);
    expect(await saidIn(storage)).toEqual(["refund it", "Refunded.", "Answer 1 to refund it", "And?", "Answer 2 to And?"]);
  });
});

describe("a run of a conversation that waits for a decision", () => {
  it("goes on with it, and its conversation has the whole turn once", async () => {
    const storage = new MemoryStorage();
    const runtime = runtimeOn(storage);
    await start(runtime, "run-1", "refund it");
    await approveFirst(runtime);
    await runtime.result("run-1");
    expect(await saidIn(storage)).toEqual(["refund it", "Refunded.", "Answer 1 to refund it"]);
    expect((await storage.conversations.load("ada"))?.state).toBeUndefined();
  });

  it("is given up by the next prompt, which reports that", async () => {
    const storage = new MemoryStorage();
    const runtime = runtimeOn(storage);
    await start(runtime, "run-1", "refund it");
    const { callId, confirmation } = await firstPending(runtime);
    await start(runtime, "run-2", "Never mind");
    const response = await runtime.result("run-2");
    expect(response.givenUp).toEqual([confirmation]);
    expect(await runtime.status("run-1")).toMatchObject({ status: "ended", pending: [], outcome: { reason: "interrupted" } });
    await expect(runtime.decide("run-1", callId, approve(confirmation))).rejects.toMatchObject({ reason: "given_up" });
    expect((await runtime.result("run-1")).reason).toBe("interrupted");
    expect(happened).toEqual([]);
    expect(await saidIn(storage)).toEqual([
      "refund it",
      "Not run: the conversation went on before anybody decided whether to run this call.",
      "Never mind",
      "Answer 2 to Never mind",
    ]);
  });

  it("goes first if it was decided before the next prompt began", async () => {
    const storage = new MemoryStorage();
    const runtime = runtimeOn(storage);
    await start(runtime, "run-1", "refund it");
    await approveFirst(runtime);
    await start(runtime, "run-2", "And?");
    expect((await runtime.result("run-2")).givenUp).toBeUndefined();
    expect(happened).toEqual(["refund"]);
    expect(await saidIn(storage)).toEqual(["refund it", "Refunded.", "Answer 1 to refund it", "And?", "Answer 2 to And?"]);
  });

  it("leaves what became of its call in the conversation if it is cancelled", async () => {
    const storage = new MemoryStorage();
    const runtime = runtimeOn(storage);
    await start(runtime, "run-1", "refund it");
    await firstPending(runtime);
    await runtime.cancel("run-1");
    expect((await storage.conversations.load("ada"))?.state).toBeUndefined();
    await start(runtime, "run-2", "And?");
    expect((await runtime.result("run-2")).givenUp).toBeUndefined();
    expect(await saidIn(storage)).toEqual([
      "refund it",
      "Not run: the run was cancelled before this call ran.",
      "And?",
      "Answer 2 to And?",
    ]);
  });

  it("is given up by an agent that loads the conversation and goes on, without a runtime", async () => {
    const storage = new MemoryStorage();
    const runtime = runtimeOn(storage);
    await start(runtime, "run-1", "refund it");
    await firstPending(runtime);
    while ((await storage.conversations.load("ada"))?.state === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    await runtime.drain();
    const agent = await new ShopAgent().load(storage.conversations, "ada");
    expect((await agent.generate("Never mind", { journal: storage })).givenUp).toHaveLength(1);
    await agent.save(storage.conversations, "ada");
    const next = runtimeOn(storage);
    expect(await next.status("run-1")).toMatchObject({ status: "ended", outcome: { reason: "interrupted" } });
    await start(next, "run-2", "And?");
    expect((await next.result("run-2")).text).toBe("Answer 3 to And?");
  });
});

describe("the turns of a conversation", () => {
  it("are shared with the requests of agentHandler", async () => {
    const storage = new MemoryStorage();
    const runtime = runtimeOn(storage);
    const chat = agentHandler({
      format: "json",
      agent: () => new ShopAgent().load(storage.conversations, "ada"),
      options: () => ({ journal: storage }),
      onFinish: ({ agent }) => agent.save(storage.conversations, "ada"),
    });
    const post = async (prompt: string): Promise<Response> =>
      chat(
        new Request("http://shop.example/chat", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ prompt }),
        }),
      );
    await Promise.all([start(runtime, "run-1", "A"), post("B"), start(runtime, "run-2", "C"), post("D")]);
    await runtime.result("run-1");
    await runtime.result("run-2");
    const said = await saidIn(storage);
    expect(said.filter((_, index) => index % 2 === 0).sort()).toEqual(["A", "B", "C", "D"]);
    expect(said.filter((_, index) => index % 2 === 1).map((answer) => String(answer).split(" ")[1])).toEqual(["1", "2", "3", "4"]);
  });

  it("aren't taken by a run that is drained while it waits, which another process begins", async () => {
    const storage = new MemoryStorage();
    const lease = await storage.leases.acquire("conversation ada", "somebody else", 60_000);
    const first = runtimeOn(storage);
    await start(first, "run-1", "Hello");
    expect(await first.drain()).toEqual({ left: [{ runId: "run-1", agent: "shop", cutOff: false }] });
    await storage.leases.release(lease);
    await runtimeOn(storage).result("run-1");
    expect(await saidIn(storage)).toEqual(["Hello", "Answer 1 to Hello"]);
  });

  it("go on in a conversation that was removed while a run waited, without what was before the run", async () => {
    const storage = new MemoryStorage();
    const runtime = runtimeOn(storage);
    await start(runtime, "run-1", "Hello");
    await start(runtime, "run-2", "refund it");
    await firstPending(runtime);
    while ((await storage.journals.list({ status: "waiting" })).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    storage.conversations.delete("ada");
    await approveFirst(runtime);
    await runtime.result("run-2");
    expect(await saidIn(storage)).toEqual(["refund it", "Refunded.", "Answer 2 to refund it"]);
  });

  it("go on behind a run whose journal was removed in the middle", async () => {
    const storage = new MemoryStorage({ leaseDuration: 100 });
    const { mortal, died } = mortalStorage(storage, (write) =>
      "append" in write && write.append.entries.some(({ kind }) => kind === "began") ? "after" : undefined,
    );
    await start(new InProcessRuntime({ storage: mortal, agents: [ShopAgent] }), "run-1", "Hello");
    await died;
    await storage.journals.delete("run-1");
    const runtime = runtimeOn(storage);
    await start(runtime, "run-2", "And?");
    expect((await runtime.result("run-2")).text).toBe("Answer 1 to And?");
  });
});

describe("a conversation that something else saves while a run goes on", () => {
  it("has what both added", async () => {
    const storage = new MemoryStorage();
    const runtime = runtimeOn(storage);
    await start(runtime, "run-1", "refund it");
    await firstPending(runtime);
    while ((await storage.conversations.load("ada"))?.state === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    const { revision = 1, messages = [] } = (await storage.conversations.load("ada")) ?? {};
    const note = { role: "user", content: "A note." };
    await storage.conversations.save("ada", { version: 1, revision: revision + 1, messages: [note] });
    await approveFirst(runtime);
    await runtime.result("run-1");
    expect(messages).toHaveLength(2);
    expect(await saidIn(storage)).toEqual(["A note.", "refund it", "Refunded.", "Answer 1 to refund it"]);
  });
});

it("isn't ended before its conversation has its messages, also if the store fails", async () => {
  const storage = new MemoryStorage({ leaseDuration: 50 });
  const save = jest.spyOn(storage.conversations, "save");
  const runtime = runtimeOn(storage);
  const warned = jest.spyOn(process, "emitWarning").mockImplementation();
  const real = save.getMockImplementation();
  let saves = 0;
  save.mockImplementation(async (id, conversation) => {
    saves += 1;
    if (saves === 2) throw new Error("The disk is full.");
    save.mockRestore();
    if (real !== undefined) return real(id, conversation);
    await storage.conversations.save(id, conversation);
  });
  await start(runtime, "run-1", "Hello");
  await runtime.result("run-1");
  expect(await saidIn(storage)).toEqual(["Hello", "Answer 1 to Hello"]);
  warned.mockRestore();
});

it.each(["", 7, null])("rejects %j as the id of a conversation", async (conversation) => {
  const starting = runtimeOn(new MemoryStorage()).start("shop", "Hello", { conversation: conversation as never });
  await expect(starting).rejects.toThrow("start: conversation must be the id of a stored conversation");
});
