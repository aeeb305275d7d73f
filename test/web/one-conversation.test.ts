import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { type ChatModel, noUsage, ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import {
  type ConversationStore,
  FileConversationStore,
  FileStorage,
  MemoryConversationStore,
  MemoryStorage,
  PostgresStorage,
  SqliteStorage,
  type Storage,
} from "../../src/storage/index.js";
import {
  type AgentHandlerOptions,
  agentHandler,
  type AnswerFormat,
  decideHandler,
  MemoryRunStateStore,
  toNodeHandler,
} from "../../src/web/index.js";
import { callOf, closeServers, happened, postJson, RefundTool, serve, WaitTool } from "./support.js";
import { until } from "../support/until.js";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "one-conversation-"));
});
beforeEach(() => happened.splice(0));
afterAll(() => rm(directory, { recursive: true, force: true }));
afterAll(closeServers);

/** Answers each question after a turn of the event loop or more. */
const echo: ChatModel = {
  id: "test/echo",
  generate: async ({ messages, onDelta }) => {
    for (let turns = Math.random() * 5; turns > 0; turns--) await new Promise((resolve) => setTimeout(resolve, 1));
    const text = `Answer to ${String(messages.at(-1)?.content)}`;
    onDelta?.({ type: "text", text });
    return { text, toolCalls: [], finishReason: "stop", usage: noUsage };
  },
};

function handlerOf(source: ChatModel | readonly ScriptedStep[], store: ConversationStore, options: Partial<AgentHandlerOptions> = {}) {
  @model("generate" in source ? source : new ScriptedModel(source), { retries: 0 })
  @usesTools([RefundTool, WaitTool])
  class ShopAgent extends Agent {}

  return agentHandler({
    format: "json",
    agent: (_request, body) => new ShopAgent().load(store, String(body.id)),
    onFinish: ({ agent, body }) => agent.save(store, String(body.id)),
    ...options,
  });
}

const bodyOf = (format: AnswerFormat, text: string) =>
  format === "ui"
    ? { id: "chat-1", messages: [{ id: text, role: "user", parts: [{ type: "text", text }] }] }
    : { id: "chat-1", prompt: text };

const messagesOf = async (store: ConversationStore, role: string) =>
  ((await store.load("chat-1"))?.messages ?? []).filter((message) => message.role === role).map(({ content }) => String(content));

const raise = (): never => {
  throw new Error("There is no such storage.");
};

const connectionString = process.env.DATABASE_URL;
const hasSqlite = process.getBuiltinModule?.("node:sqlite") !== undefined;
let opened = 0;
const storages: Storage[] = [];
afterEach(() => Promise.all(storages.splice(0).map((storage) => storage.close?.())));
/** The conversations of storages that are closed after the test. */
const opening = (given: readonly Storage[]): readonly ConversationStore[] => {
  storages.push(...given);
  return given.map(({ conversations }) => conversations);
};
/** Each gives one store for each server of an application. */
const stores: Readonly<Record<string, () => readonly ConversationStore[]>> = {
  "a memory store": () => [new MemoryConversationStore()],
  "a file store": () => [new FileConversationStore(join(directory, `${opened++}`))],
  "two file stores of one directory": () => {
    const path = join(directory, `${opened++}`);
    return [new FileConversationStore(path), new FileConversationStore(path)];
  },
  MemoryStorage: () => [new MemoryStorage().conversations],
  "FileStorage, opened twice": () => {
    const path = join(directory, `${opened++}`);
    return opening([new FileStorage(path), new FileStorage(path)]);
  },
  ...(hasSqlite && {
    "SqliteStorage, opened twice": () => {
      const path = join(directory, `${opened++}.sqlite`);
      return opening([new SqliteStorage(path), new SqliteStorage(path)]);
    },
  }),
  ...(connectionString !== undefined && {
    "PostgresStorage, opened twice": () => {
      const schema = `one_conversation_${process.pid}_${opened++}`;
      const open = () => new PostgresStorage({ connectionString }, { schema });
      return opening([open(), open()]);
    },
  }),
};

describe.each(Object.keys(stores))("requests for one conversation at once, with %s", (name) => {
  it.each([
    [2, "json"],
    [10, "json"],
    [10, "sse"],
    [10, "ui"],
  ] as const)("lose no turn: %i as %s", async (count, format) => {
    const opened = stores[name]?.() ?? [];
    const urls = await Promise.all(
      opened.map((store) => serve(toNodeHandler(handlerOf(echo, store, { format, onError: () => undefined })))),
    );
    const texts = Array.from({ length: count }, (_, index) => `question ${index}`);
    const answers = await Promise.all(
      texts.map(async (text, index) => {
        const response = await postJson(urls[index % urls.length] as string, bodyOf(format, text));
        return { text, status: response.status, body: await response.text() };
      }),
    );
    const refusal = /has changed in the meantime|is still being answered/;
    const kept = answers.filter(({ body }) => !refusal.test(body));
    for (const { text, status, body } of kept) expect([status, body]).toEqual([200, expect.stringContaining(`Answer to ${text}`)]);
    for (const { status, body } of answers) if (format === "json" && refusal.test(body)) expect(status).toBe(409);
    const [store] = opened as [ConversationStore];
    expect((await messagesOf(store, "user")).sort()).toEqual(kept.map(({ text }) => text).sort());
    expect((await messagesOf(store, "assistant")).sort()).toEqual(kept.map(({ text }) => `Answer to ${text}`).sort());
    // Those that take turns refuse nothing.
    if (!name.startsWith("two")) expect(kept).toHaveLength(count);
  });
});

describe("a turn that is answered while another is saved", () => {
  const conflict =
    "The conversation has changed in the meantime, so this answer wasn't kept. Load the conversation again, then send the message again.";

  it.each(["json", "sse", "ui"] as const)("ends with an error as %s, and is reported", async (format) => {
    const store = new MemoryConversationStore();
    const errors: unknown[] = [];
    // Another object, as in another process: the two don't take turns.
    const other = handlerOf(echo, { load: (id) => store.load(id), save: (id, conversation) => store.save(id, conversation) });
    const rival: ChatModel = {
      id: "test/rival",
      generate: async (request) => {
        await other(new Request("http://localhost/", { ...init, body: JSON.stringify({ id: "chat-1", prompt: "the other" }) }));
        return echo.generate(request);
      },
    };
    const init = { method: "POST", headers: { "content-type": "application/json" } };
    const url = await serve(toNodeHandler(handlerOf(rival, store, { format, onError: (error) => errors.push(error) })));
    const response = await postJson(url, bodyOf(format, "mine"));
    const body = await response.text();
    expect(response.status).toBe(format === "json" ? 409 : 200);
    expect(body).toContain(JSON.stringify(conflict).slice(1, -1));
    if (format === "json") expect(JSON.parse(body)).toEqual({ error: conflict });
    else expect(body).not.toMatch(/event: done|"type":"finish"/);
    expect(errors).toEqual([expect.objectContaining({ name: "ConversationConflictError", loaded: 0, stored: 1 })]);
    expect(await messagesOf(store, "user")).toEqual(["the other"]);
  });
});

describe("the turn of a request", () => {
  const waiting = (): ScriptedStep[] => [{ toolCalls: [callOf("wait")] }, "First.", "Second."];
  const storages: Readonly<Record<string, () => Pick<Storage, "conversations" | "leases">>> = {
    "in one process": () => new MemoryStorage(),
    "in another process": () => {
      const path = join(directory, `${opened++}`);
      const [storage, other] = [new FileStorage(path), new FileStorage(path)];
      return { leases: storage.leases, conversations: other.conversations };
    },
  };

  it("ends if its sender leaves, and so does the place of one that waits", async () => {
    const storage = new MemoryStorage();
    const url = await serve(toNodeHandler(handlerOf(waiting(), storage.conversations)));
    const [first, second] = [new AbortController(), new AbortController()];
    const left = [first, second].map(({ signal }, index) => postJson(url, bodyOf("json", `left ${index}`), { signal }).catch(() => "left"));
    await until(() => happened.includes("waiting"));
    const third = postJson(url, bodyOf("json", "third"));
    second.abort();
    first.abort();
    expect(await Promise.all(left)).toEqual(["left", "left"]);
    expect((await third).status).toBe(200);
    expect(await messagesOf(storage.conversations, "user")).toContain("third");
    await until(() => storage.leases.holderOf("conversation chat-1") === undefined);
  });

  it.each(Object.keys(storages))("is waited for half a minute if it is taken %s, then the answer is 409", async (name) => {
    const { conversations, leases } = (storages[name] ?? raise)();
    const handler = handlerOf(name === "in one process" ? waiting() : echo, conversations);
    const post = (text: string, signal?: AbortSignal) =>
      handler(
        new Request("http://localhost/", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(bodyOf("json", text)),
          ...(signal && { signal }),
        }),
      );
    const leaving = new AbortController();
    let release: () => unknown;
    if (name === "in one process") {
      const first = post("first", leaving.signal);
      await until(() => happened.includes("waiting"));
      release = () => {
        leaving.abort();
        return first;
      };
    } else {
      const lease = await leases.acquire("conversation chat-1", "another process", 3_600_000);
      release = () => leases.release(lease);
    }
    const { setTimeout: realTimeout } = globalThis;
    const now = performance.now.bind(performance);
    let passed = 0;
    jest.spyOn(performance, "now").mockImplementation(() => now() + passed);
    jest.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, delay: number) => {
      if (delay > 200) return realTimeout(work, delay > 29_000 && delay <= 30_000 ? 0 : delay);
      passed = 30_000;
      return realTimeout(work, 0);
    }) as never);
    const response = await post("second");
    jest.restoreAllMocks();
    expect([response.status, response.headers.get("retry-after")]).toEqual([409, "5"]);
    expect(await response.json()).toEqual({
      error: "Another message of this conversation is still being answered. Wait for its answer, then send this one again.",
    });
    await release();
    expect((await post("third")).status).toBe(200);
  });

  it("begins with what another process saved before the lease was free", async () => {
    const path = join(directory, `${opened++}`);
    const [storage, other] = [new FileStorage(path), new FileStorage(path)];
    const lease = await other.leases.acquire("conversation chat-1", "another process", 60_000);
    const answer = postJson(await serve(toNodeHandler(handlerOf(echo, storage.conversations))), bodyOf("json", "mine"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await other.conversations.save("chat-1", { version: 1, messages: [{ role: "user", content: "before" }] });
    await other.leases.release(lease);
    expect((await answer).status).toBe(200);
    expect(await messagesOf(other.conversations, "user")).toEqual(["before", "mine"]);
  });

  it("is released if the agent can't be loaded again", async () => {
    const storage = new MemoryStorage();
    let loads = 0;
    const handler = handlerOf(echo, storage.conversations, {
      agent: async () => {
        @model(echo)
        class OtherAgent extends Agent {}
        const agent = await new OtherAgent().load(storage.conversations, "chat-1");
        if (++loads === 1) await storage.conversations.save("chat-1", { version: 1, messages: [] });
        if (loads === 2) throw new Error("The database is away.");
        return agent;
      },
      onError: () => undefined,
    });
    const url = await serve(toNodeHandler(handler));
    expect((await postJson(url, bodyOf("json", "one"))).status).toBe(500);
    expect((await postJson(url, bodyOf("json", "two"))).status).toBe(200);
  });
});

describe("a decision and a message at once", () => {
  it.each([[["decide", "chat"]], [["chat", "decide"]]])("are both in the history, or one is refused: %p", async (order) => {
    const { conversations } = new MemoryStorage();
    const pausedRuns = { store: new MemoryRunStateStore(), authorise: () => true };
    const script = new ScriptedModel([{ toolCalls: [callOf("refund", { order: "A-17" })] }, "One.", "Two."]);
    const chat = handlerOf(script, conversations, { pausedRuns });

    @model(script)
    @usesTools([RefundTool, WaitTool])
    class ShopAgent extends Agent {}
    const decide = decideHandler({
      format: "json",
      agent: () => new ShopAgent().load(conversations, "chat-1"),
      onFinish: ({ agent }) => agent.save(conversations, "chat-1"),
      pausedRuns,
    });
    const urls = { chat: await serve(toNodeHandler(chat)), decide: await serve(toNodeHandler(decide)) };
    const paused = (await (await postJson(urls.chat, bodyOf("json", "Refund A-17"))).json()) as {
      runId: string;
      confirmations: { callId: string }[];
    };
    const decisions = [{ callId: paused.confirmations[0]?.callId, decision: "approve" }];
    const bodies = { chat: bodyOf("json", "And?"), decide: { runId: paused.runId, decisions } };
    const posted = (order as ("chat" | "decide")[]).map((door) => postJson(urls[door], bodies[door]).then(({ status }) => [door, status]));
    const statuses = Object.fromEntries(await Promise.all(posted)) as Readonly<Record<"chat" | "decide", number>>;
    expect(statuses.chat).toBe(200);
    expect(await messagesOf(conversations, "user")).toEqual(["Refund A-17", "And?"]);
    const wasRefunded = happened.includes("refunded A-17");
    expect([200, 404, 409]).toContain(statuses.decide);
    expect(statuses.decide === 200).toBe(wasRefunded);
    expect((await messagesOf(conversations, "tool"))[0]).toMatch(wasRefunded ? /^Refunded/ : /^Not run/);
  });
});
