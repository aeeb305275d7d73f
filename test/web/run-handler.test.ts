import { Agent, model, usesTools } from "../../src/agent/index.js";
import { InProcessRuntime } from "../../src/durable/index.js";
import { ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { MemoryStorage } from "../../src/storage/index.js";
import { description, effect, identifier, requiresConfirmation, Tool } from "../../src/tool/index.js";
import { runHandler, type RunHandlerOptions, type WebHandler } from "../../src/web/index.js";

const effects: string[] = [];
const runtimes: InProcessRuntime[] = [];
beforeEach(() => effects.splice(0));
afterEach(async () => {
  await Promise.all(runtimes.splice(0).map((runtime) => runtime.drain({ deadline: 0 })));
});

@identifier("refund")
@description("Refunds.")
@effect("once")
@requiresConfirmation()
class RefundTool extends Tool {
  call() {
    effects.push("refund");
    return "Refunded.";
  }
}

const refund: ScriptedStep = { toolCalls: [{ name: "refund" }] };

function shop(steps: readonly ScriptedStep[], options: Partial<RunHandlerOptions> = {}) {
  @model(new ScriptedModel(steps))
  @usesTools([RefundTool])
  @identifier("shop")
  class ShopAgent extends Agent {}

  const runtime = new InProcessRuntime({ storage: new MemoryStorage(), agents: [ShopAgent] });
  runtimes.push(runtime);
  const handler = runHandler({
    runtime,
    start: (request) => ({ agent: ShopAgent, runId: "run-1", context: { user: request.headers.get("user") ?? "" } }),
    authorise: (request, run) => run.context.user === request.headers.get("user"),
    ...options,
  });
  return { runtime, handler };
}

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

const ask = async (handler: WebHandler, { path = "", headers, ...sent }: Sent): Promise<Response> =>
  handler(new Request(`http://shop.example/runs${path}`, { ...sent, headers: { user: "ann", ...headers } }));

const post = (handler: WebHandler, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  ask(handler, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } });

/** The events of a response, as a browser reads them. */
async function eventsOf(response: Response): Promise<readonly { readonly id?: string; readonly type: string }[]> {
  const text = await response.text();
  return text.split("\n\n").flatMap((frame) => {
    const [, id] = /^id: (.*)$/m.exec(frame) ?? [];
    const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
    return data === undefined ? [] : [{ ...(id !== undefined && { id }), ...JSON.parse(data) }];
  });
}

describe("runHandler", () => {
  it("starts a run, and streams its events", async () => {
    const { handler } = shop(["Hello."]);
    const started = await post(handler, { prompt: "Hi" });
    expect(started.status).toBe(202);
    expect(await started.json()).toEqual({ runId: "run-1", agent: "shop", status: "queued", pending: [] });
    const events = await eventsOf(await ask(handler, { path: "?runId=run-1" }));
    expect(events.at(-1)).toMatchObject({ type: "done", response: { outcome: { reason: "success" }, text: "Hello." } });
  });

  it("goes on with the run when its reader leaves, and gives the rest to one that comes back", async () => {
    const { handler, runtime } = shop([refund, "Done."]);
    await post(handler, { prompt: "Refund" });
    const leaving = new AbortController();
    const response = await ask(handler, { path: "?runId=run-1", signal: leaving.signal });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let seen = "";
    while (!seen.includes("confirmation_required")) seen += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    leaving.abort();
    const last = [...seen.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? "";

    const [{ callId = "", confirmation } = {}] = await runtime.pending();
    const decision = { callId, confirmationId: confirmation?.id, decision: "approve" };
    expect((await post(handler, { runId: "run-1", decisions: [decision] })).status).toBe(202);
    const rest = await eventsOf(await ask(handler, { path: "?runId=run-1", headers: { "last-event-id": last } }));
    expect(rest.slice(0, 2).map(({ type }) => type)).toEqual(["decided", "resumed"]);
    expect(rest.at(-1)).toMatchObject({ type: "done", response: { text: "Done." } });
    expect(effects).toEqual(["refund"]);
  });

  it("records who decided, as the application says, and leaves it out for browsers", async () => {
    const { handler, runtime } = shop([refund, "Done."], { decidedBy: (request) => `${request.headers.get("user")} of support` });
    await post(handler, { prompt: "Refund" });
    while ((await runtime.pending()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const [{ callId = "", confirmation } = {}] = await runtime.pending();
    const decision = { callId, confirmationId: confirmation?.id, decision: "approve" };
    const forged = await post(handler, { runId: "run-1", decisions: [{ ...decision, decidedBy: "The boss" }] });
    expect(forged.status).toBe(400);
    expect(await forged.text()).toContain("the server says who decided");
    await post(handler, { runId: "run-1", decisions: [decision] });
    await runtime.result("run-1");
    expect((await runtime.status("run-1")).decided).toMatchObject([{ decidedBy: "ann of support" }]);
    const events = await (await ask(handler, { path: "?runId=run-1" })).text();
    expect(events).toContain("event: decided");
    expect(events).not.toContain("of support");
  });

  it("answers 204 to a browser that has received all events", async () => {
    const { handler } = shop(["Hello."]);
    await post(handler, { prompt: "Hi" });
    const events = await eventsOf(await ask(handler, { path: "?runId=run-1" }));
    const again = await ask(handler, { path: "?runId=run-1", headers: { "last-event-id": events.at(-1)?.id ?? "" } });
    expect(again.status).toBe(204);
  });

  it("answers how a run stands, without its context", async () => {
    const { handler, runtime } = shop(["Hello."]);
    await post(handler, { prompt: "Hi" });
    await runtime.result("run-1");
    const response = await ask(handler, { path: "?runId=run-1", headers: { accept: "application/json" } });
    expect(await response.json()).toEqual({ runId: "run-1", agent: "shop", status: "ended", pending: [], outcome: { reason: "success" } });
  });

  it("starts runs in the conversation of the session's user", async () => {
    const storage = new MemoryStorage();

    @model(new ScriptedModel(["Hello, Ann.", "You are Ann."]))
    @identifier("shop")
    class ShopAgent extends Agent {}
    const runtime = new InProcessRuntime({ storage, agents: [ShopAgent] });
    runtimes.push(runtime);
    const { handler } = shop([], {
      runtime,
      start: (request, { runId }) => ({ agent: "shop", runId: String(runId), conversation: request.headers.get("user") ?? "nobody" }),
    });
    await post(handler, { prompt: "I am Ann.", runId: "run-1" });
    await post(handler, { prompt: "Who am I?", runId: "run-2" });
    await runtime.result("run-2");
    const { messages = [] } = (await storage.conversations.load("ann")) ?? {};
    expect(messages.map(({ content }) => content)).toEqual(["I am Ann.", "Hello, Ann.", "Who am I?", "You are Ann."]);
  });

  it("cancels a run", async () => {
    const { handler } = shop([refund]);
    await post(handler, { prompt: "Refund" });
    const response = await ask(handler, { method: "DELETE", path: "?runId=run-1" });
    expect(await response.json()).toMatchObject({ status: "ended", outcome: { reason: "aborted" } });
  });

  it.each<[string, Sent]>([
    ["reads", { path: "?runId=run-1" }],
    ["cancels", { method: "DELETE", path: "?runId=run-1" }],
    [
      "decides",
      {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ runId: "run-1", decisions: [{ callId: "call_1", decision: "approve" }] }),
      },
    ],
  ])("answers 403 to somebody else who %s", async (_, init) => {
    const { handler } = shop([refund]);
    await post(handler, { prompt: "Refund" });
    expect((await ask(handler, { ...init, headers: { ...init.headers, user: "bob" } })).status).toBe(403);
    expect(effects).toEqual([]);
  });

  it("counts no answer but true as permission", async () => {
    const errors: unknown[] = [];
    const { handler } = shop(["Hello."], { authorise: () => ({ allowed: false }) as never, onError: (error) => errors.push(error) });
    await post(handler, { prompt: "Hi" });
    expect((await ask(handler, { path: "?runId=run-1" })).status).toBe(403);
    expect(String(errors[0])).toContain("authorise must return true or false, got object");
  });

  it.each<[string, number, Sent]>([
    ["an unknown run", 404, { path: "?runId=run-9" }],
    ["no run", 400, {}],
    ["another method", 405, { method: "PUT", path: "?runId=run-1" }],
    ["an id that is none", 400, { path: "?runId=run-1", headers: { "last-event-id": "../1" } }],
  ])("answers to %s with %i", async (_, status, init) => {
    const { handler } = shop(["Hello."]);
    await post(handler, { prompt: "Hi" });
    const response = await ask(handler, init);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: expect.any(String) });
  });

  it("answers 409 to a second decision", async () => {
    const { handler, runtime } = shop([refund, "Done."]);
    await post(handler, { prompt: "Refund" });
    while ((await runtime.pending()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const [{ callId = "" } = {}] = await runtime.pending();
    const body = { runId: "run-1", decisions: [{ callId, decision: "deny" }] };
    expect((await post(handler, body)).status).toBe(202);
    expect((await post(handler, body)).status).toBe(409);
  });

  it("counts none of a list of decisions if one of them doesn't fit", async () => {
    const { handler, runtime } = shop([refund, "Done."]);
    await post(handler, { prompt: "Refund" });
    while ((await runtime.pending()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const [{ callId = "" } = {}] = await runtime.pending();
    const decisions = [
      { callId, decision: "approve" },
      { callId: "call_9", decision: "approve" },
    ];
    expect((await post(handler, { runId: "run-1", decisions })).status).toBe(409);
    expect(await runtime.pending()).toHaveLength(1);
    expect(effects).toEqual([]);
  });

  it("answers 503 while the process shuts down, and ends the streams of runs that go on elsewhere", async () => {
    const { handler, runtime } = shop([refund]);
    await post(handler, { prompt: "Refund" });
    const stream = ask(handler, { path: "?runId=run-1" }).then(eventsOf);
    while ((await runtime.pending()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await runtime.drain();
    expect((await stream).at(-1)?.type).toBe("confirmation_required");
    const refused = await post(handler, { prompt: "Hi" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  });
});
