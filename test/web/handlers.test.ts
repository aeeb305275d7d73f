import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { confirmationCardHtml } from "../../src/confirmation/index.js";
import { MemoryConversationStore } from "../../src/storage/index.js";
import type { RunState } from "../../src/loop/index.js";
import {
  type AgentHandlerOptions,
  agentHandler,
  type DecideHandlerOptions,
  decideHandler,
  type FinishedRun,
  MemoryRunStateStore,
  type NodeRequest,
  nodeRequestOf,
  toEventStream,
  toNodeHandler,
  toUiMessageStream,
  type WebHandler,
} from "../../src/web/index.js";
import { type ChatModel, ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { description, identifier, access, Tool } from "../../src/tool/index.js";
import { agentOf, callOf, closeServers, framesIn, happened, postJson, RefundTool, serve, stored } from "./support.js";
import { until } from "../support/until.js";

afterAll(closeServers);
beforeEach(() => happened.splice(0));
afterEach(() => jest.restoreAllMocks());

const request = (body: unknown, init: RequestInit = {}): Request =>
  new Request("http://shop.example/chat", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });

const handlerOf = (source: ChatModel | readonly ScriptedStep[], settings: Partial<AgentHandlerOptions> = {}): WebHandler =>
  agentHandler({ agent: () => agentOf(source), format: "sse", ...settings });

describe("agentHandler", () => {
  it("answers a prompt with server-sent events", async () => {
    const response = await handlerOf(["Hello."])(request({ prompt: "Hi" }));
    expect(response.status).toBe(200);
    expect(framesIn(await response.text()).at(-1)).toMatchObject({ event: "done", data: { response: { text: "Hello." } } });
  });

  it("answers with the response as JSON if that is its format", async () => {
    const response = await handlerOf(["Hello."], { format: "json" })(request({ prompt: "Hi" }));
    expect(await response.json()).toMatchObject({ text: "Hello.", outcome: { reason: "success" } });
  });

  it("takes a prompt of content parts", async () => {
    const script = new ScriptedModel(["A cat."]);
    const prompt = [
      { type: "text", text: "What is this?" },
      { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" },
    ];
    await (await handlerOf(script)(request({ prompt }))).text();
    expect(script.requests[0]?.messages).toEqual([{ role: "user", content: prompt }]);
  });

  it("gives agent, context and options the request and its body", async () => {
    const script = new ScriptedModel([({ messages }) => `You are ${messages.length}.`]);
    const seen: unknown[] = [];
    const handler = handlerOf(script, {
      agent: (_request, body) => {
        seen.push(body.id);
        return agentOf(script);
      },
      context: ({ headers }) => ({ userId: headers.get("x-user") ?? "nobody" }),
      options: () => ({ tags: { tenant: "acme" }, listeners: [{ runStarted: ({ tags }) => seen.push(tags) }] }),
    });
    await (await handler(request({ prompt: "Hi", id: "chat-1" }))).text();
    expect(seen).toEqual(["chat-1", { tenant: "acme" }]);
  });

  it("stores the conversation before it says that it is done", async () => {
    const stored: string[] = [];
    const handler = handlerOf(["Hello."], {
      onFinish: async ({ agent, body }) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        stored.push(`${body.id}: ${agent.messages.length}`);
      },
    });
    const reader = (await handler(request({ prompt: "Hi", id: "chat-1" }))).body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (next.value.includes("event: done")) expect(stored).toEqual(["chat-1: 2"]);
    }
    expect(stored).toHaveLength(1);
  });

  it("sends an error in place of the end if the conversation couldn't be stored", async () => {
    const heard: unknown[] = [];
    const failure = new Error("disk full");
    const handler = handlerOf(["Hello."], { onFinish: () => Promise.reject(failure), onError: (error) => heard.push(error) });
    const frames = framesIn(await (await handler(request({ prompt: "Hi" }))).text());
    expect(frames.at(-1)).toMatchObject({ event: "error", data: { error: { message: "The run failed on the server." } } });
    expect(heard).toEqual([failure]);
  });

  it("stores what happened until the client left", async () => {
    const outcomes: string[] = [];
    const url = await serve(
      toNodeHandler(
        handlerOf([{ toolCalls: [callOf("wait")] }], { onFinish: ({ response }) => void outcomes.push(response.outcome.reason) }),
      ),
    );
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const body = JSON.stringify({ prompt: "Wait" });
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await until(() => happened.includes("waiting"));
    socket.destroy();
    await until(() => outcomes.length > 0);
    expect(outcomes).toEqual(["aborted"]);
    expect(happened).toEqual(["waiting", "aborted"]);
  });

  it("answers 409 if the conversation is still answering", async () => {
    const agent = agentOf([{ toolCalls: [callOf("wait")] }]);
    const handler = handlerOf([], { agent: () => agent });
    const first = await handler(request({ prompt: "Wait" }));
    const second = await handler(request({ prompt: "Hurry" }));
    expect(second.status).toBe(409);
    expect(await second.json()).toEqual({ error: expect.stringContaining("is still answering") });
    await first.body?.cancel();
  });

  it("answers 500 to mistakes in code, and names them only to the application", async () => {
    const heard: unknown[] = [];
    const handler = handlerOf([], {
      agent: () => Promise.reject(new Error("orders-db.internal is down")),
      onError: (error) => heard.push(error),
    });
    const response = await handler(request({ prompt: "Hi" }));
    expect([response.status, await response.json()]).toEqual([500, { error: "The request failed on the server." }]);
    expect(heard).toMatchObject([{ message: "orders-db.internal is down" }]);
  });

  it("warns of errors without an onError, and of runs that can't be answered", async () => {
    const warnings = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    await (await handlerOf([{ error: new Error("a bug") }])(request({ prompt: "Hi" }))).text();
    await (await handlerOf([{ toolCalls: [callOf("refund", { order: "A-17" })] }])(request({ prompt: "Refund" }))).text();
    expect(warnings.mock.calls.map(([message]) => message)).toEqual([
      expect.stringMatching(/^A run at \/chat failed: Error: a bug\n/),
      expect.stringMatching(/waits for a person, but isn't stored: pass pausedRuns/),
    ]);
  });

  describe("refuses, and says what to send instead:", () => {
    const text = { "content-type": "text/plain" };
    it.each<[string, Request, number, string]>([
      ["another method", new Request("http://shop.example/chat"), 405, "Use POST here, not GET."],
      ["another type", request("Hi", { headers: text }), 415, 'Send the body as application/json, got "text/plain".'],
      ["no type", request("Hi", { headers: {}, body: Buffer.from("Hi") }), 415, "got no content-type"],
      ["what isn't JSON", request("{prompt: Hi}"), 400, "The body isn't JSON"],
      ["what is no object", request("[1]"), 400, "must be a JSON object"],
      ["an empty body", request(""), 400, "The body is empty"],
      ["what isn't UTF-8", request({}, { body: Buffer.from([0x22, 0xff, 0x22]) }), 400, "isn't UTF-8"],
      ["no prompt", request({ prompt: "" }), 400, '{ "prompt": "..." }'],
      ["an empty list", request({ prompt: [] }), 400, '{ "prompt": "..." }'],
      ["a blank prompt", request({ prompt: " \n" }), 400, "not a blank one"],
      ["a list of blank texts", request({ prompt: [{ type: "text", text: " " }] }), 400, "not a blank one"],
      ["parts that are none", request({ prompt: ["Hi"] }), 400, "prompt[0] isn't a content part"],
      [
        "files of the server",
        request({ prompt: [{ type: "file", mediaType: "text/plain", url: "file:///etc/passwd" }] }),
        400,
        "prompt[0]",
      ],
      ["too much", request({ prompt: "x".repeat(2_000) }), 413, "more than 1000 bytes"],
    ])("%s", async (_name, refused, status, message) => {
      const response = await handlerOf(["never"], { bodyLimit: 1_000 })(refused);
      expect(response.status).toBe(status);
      expect(((await response.json()) as { error: string }).error).toContain(message);
    });

    it("too much that doesn't say how much it is", async () => {
      const pieces = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(300)) });
      const endless = request("", { body: pieces, duplex: "half" } as RequestInit);
      expect((await handlerOf(["never"], { bodyLimit: 1_000 })(endless)).status).toBe(413);
    });
  });
});

describe("decideHandler", () => {
  /** A run that waits, and a handler that decides: both with the agent of `steps`. */
  async function paused(settings: Partial<Parameters<typeof decideHandler>[0]> = {}, confirmationTimeout = 60_000) {
    const script = new ScriptedModel([{ toolCalls: [callOf("refund", { order: "A-17" })] }, "Your money is on its way."]);
    const agent = (): Agent => agentOf(script);
    const store = new MemoryRunStateStore();
    const authorise = ({ headers }: Request, state: RunState) => (headers.get("x-user") ?? "ada") === state.tags?.user;
    const pausedRuns = { store, authorise };
    const options = () => ({ tags: { user: "ada" }, confirmationTimeout });
    const chat = agentHandler({ agent, format: "json", pausedRuns, options });
    const { runId, confirmations } = (await (await chat(request({ prompt: "Refund A-17" }))).json()) as any;
    const confirmation = confirmations[0];
    const decide = decideHandler({ agent, format: "json", pausedRuns, ...settings });
    const decision = { callId: confirmation.callId, confirmationId: confirmation.id, decision: "approve" };
    return { decide, decision, runId: runId as string, confirmation, store, body: { runId, decisions: [decision] }, script };
  }

  const statusAndError = async (response: Response) => [response.status, ((await response.json()) as { error: string }).error];

  it("goes on with the run that waits, once a person approved", async () => {
    const { decide, body, store, runId } = await paused();
    const response = await decide(request(body));
    expect(await response.json()).toMatchObject({ runId, text: "Your money is on its way." });
    expect(happened).toEqual(["refunded A-17"]);
    expect(store.load(runId)).toBeUndefined();
  });

  it("streams if that is its format", async () => {
    const { decide, body } = await paused({ format: "sse" });
    const frames = framesIn(await (await decide(request(body))).text());
    expect(frames[0]?.event).toBe("tool_started");
    expect(frames.at(-1)?.data.response.text).toBe("Your money is on its way.");
  });

  it("gives the model the denial with its reason", async () => {
    const { decide, decision, runId, script } = await paused();
    await decide(request({ runId, decisions: [{ ...decision, decision: "deny", reason: "Too old." }] }));
    expect(happened).toEqual([]);
    expect(script.requests[1]?.messages.at(-1)?.content).toContain("Too old.");
  });

  it("runs the call with the arguments that a person wrote", async () => {
    const { decide, decision, runId } = await paused();
    await decide(request({ runId, decisions: [{ ...decision, decision: "approve_edited", arguments: { order: "B-4" } }] }));
    expect(happened).toEqual(["refunded B-4"]);
  });

  it("takes the form of the confirmation card", async () => {
    const { decide, confirmation } = await paused();
    const html = confirmationCardHtml(confirmation, { action: "/decide", fields: { csrf: "token" } });
    const form = new URLSearchParams(
      [...html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map((match): [string, string] => [match[1]!, match[2]!]),
    );
    form.set("decision", "approve");
    const response = await decide(new Request("http://shop.example/decide", { method: "POST", body: form }));
    expect(await response.json()).toMatchObject({ text: "Your money is on its way." });
  });

  describe("a form that a page of another origin posted is answered 403, and nothing runs:", () => {
    const post = async (headers: Record<string, string>, json = false) => {
      const { decide, runId, decision, confirmation } = await paused();
      const form = new URLSearchParams({ runId, callId: confirmation.callId, confirmationId: confirmation.id, decision: "approve" });
      const body = json ? JSON.stringify({ runId, decisions: [decision] }) : form.toString();
      const type = json ? "application/json" : "application/x-www-form-urlencoded";
      return decide(new Request("http://localhost/decide", { method: "POST", headers: { "content-type": type, ...headers }, body }));
    };

    it.each<[string, Record<string, string>]>([
      ["another site", { "sec-fetch-site": "cross-site" }],
      ["another site, which its browser says with the mode too", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }],
      ["a sibling domain", { "sec-fetch-site": "same-site" }],
      ["what no browser sends", { "sec-fetch-site": "" }],
      ["another origin, of an older browser", { origin: "https://evil.example" }],
      ["another port", { origin: "http://localhost:8080" }],
      ["a name that contains this one", { origin: "http://localhost.evil.example" }],
      ["a sandboxed frame", { origin: "null" }],
    ])("of %s", async (_name, headers) => {
      expect((await post(headers)).status).toBe(403);
      expect(happened).toEqual([]);
    });

    it("and so is JSON that a browser sent without asking (no-cors)", async () => {
      expect((await post({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }, true)).status).toBe(403);
      expect(happened).toEqual([]);
    });

    it.each<[string, Record<string, string>, boolean]>([
      ["a form of the same origin", { "sec-fetch-site": "same-origin", origin: "null" }, false],
      ["a form that the user opened themselves", { "sec-fetch-site": "none" }, false],
      ["a form of the same host, of an older browser behind a proxy", { origin: "https://localhost" }, false],
      ["a form that no browser sent", {}, false],
      [
        "JSON of a page that CORS allows",
        { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", origin: "https://app.example" },
        true,
      ],
    ])("but %s is taken", async (_name, headers, json) => {
      expect((await post(headers, json)).status).toBe(200);
      expect(happened).toEqual(["refunded A-17"]);
    });
  });

  it("gives authorise the fields of the form: a token against forged requests", async () => {
    const tokens: unknown[] = [];
    const { confirmation, store } = await paused();
    const authorise = (_request: Request, _state: RunState, body: Readonly<Record<string, unknown>>) => {
      tokens.push(body.csrf);
      return false;
    };
    const decide = decideHandler({ agent: () => agentOf([]), format: "json", pausedRuns: { store, authorise } });
    const { runId, callId, id } = confirmation;
    const form = new URLSearchParams({ runId, callId, confirmationId: id, decision: "approve", csrf: "forged" });
    expect((await decide(new Request("http://shop.example/decide", { method: "POST", body: form }))).status).toBe(403);
    expect(tokens).toEqual(["forged"]);
  });

  it("answers 403 if somebody else decides, and nothing runs", async () => {
    const { decide, body } = await paused();
    const headers = { "content-type": "application/json", "x-user": "mallory" };
    expect(await statusAndError(await decide(request(body, { headers })))).toEqual([403, expect.stringContaining("You may not decide")]);
    expect(happened).toEqual([]);
    expect((await decide(request(body))).status).toBe(200);
  });

  describe("if somebody else than the user decides,", () => {
    @identifier("audit")
    @description("Lists the orders of all users. Use when an administrator asks.")
    @access({ roles: ["admin"] })
    class AuditTool extends Tool {
      call() {
        happened.push("audited");
        return "All orders";
      }
    }

    const rolesOf: Readonly<Record<string, string[]>> = { ada: [], root: ["admin"] };
    const senderOf = ({ headers }: Request): string => headers.get("x-user") ?? "nobody";
    const contextOf = (userId: string) => ({ userId, roles: rolesOf[userId] ?? [] });
    const post = (body: unknown, user: string) => request(body, { headers: { "content-type": "application/json", "x-user": user } });

    /** Ada's run, which root decides; the model, after that, wants what only root may have. */
    async function decidedByRoot(settings: Partial<DecideHandlerOptions>) {
      const script = new ScriptedModel([
        { toolCalls: [callOf("refund", { order: "A-17" })] },
        { toolCalls: [callOf("audit", {})] },
        "Your money is on its way.",
      ]);

      @model(script)
      @usesTools([RefundTool, AuditTool])
      class ShopAgent extends Agent {}

      const authorise = (sent: Request) => rolesOf[senderOf(sent)]?.includes("admin") === true;
      const shared = { agent: () => new ShopAgent(), pausedRuns: { store: new MemoryRunStateStore(), authorise } };
      const chat = agentHandler({ ...shared, format: "json", options: (sent) => ({ tags: { user: senderOf(sent) } }) });
      const { runId, confirmations } = (await (await chat(post({ prompt: "Refund A-17" }, "ada"))).json()) as any;
      const [{ callId, id: confirmationId }] = confirmations;
      const decide = decideHandler({ ...shared, format: "json", ...settings });
      await (await decide(post({ runId, decisions: [{ callId, confirmationId, decision: "approve" }] }, "root"))).text();
      return script;
    }

    it("agent, context, options and onFinish receive the run that goes on, with the tags that name its user", async () => {
      const owners: unknown[] = [];
      const noting =
        <Given>(place: string, given: Given) =>
        (_request: Request, _body: object, state?: RunState): Given => {
          owners.push(`${place}: ${state?.tags?.user}`);
          return given;
        };
      await decidedByRoot({
        context: noting("context", {}),
        options: noting("options", {}),
        onFinish: ({ request, body, state }) => noting("onFinish", undefined)(request, body, state),
      });
      await decidedByRoot({ agent: noting("agent", agentOf(["Done."])) });
      expect(owners).toEqual(["context: ada", "options: ada", "onFinish: ada", "agent: ada"]);
    });

    it("the rest of the run has the user's rights, if context gives them by the tag: not those of who approved", async () => {
      const script = await decidedByRoot({ context: (_request, _body, state) => contextOf(state?.tags?.user ?? "") });
      expect(happened).toEqual(["refunded A-17"]);
      expect(script.requests[1]?.tools.map(({ name }) => name)).toEqual(["refund"]);
    });
  });

  it.each<[string, unknown]>([
    ["an object that says no", { allowed: false }],
    ["an error", new Error("no such user")],
    ["a text", "false"],
    ["nothing", undefined],
  ])("answers 403 if authorise gives %s, and the application learns that it must give true or false", async (_name, answer) => {
    const { body, store } = await paused();
    const heard: unknown[] = [];
    const decide = decideHandler({
      agent: () => agentOf(new ScriptedModel(["never"])),
      format: "json",
      pausedRuns: { store, authorise: () => answer as never },
      onError: (error) => heard.push(error),
    });
    expect((await decide(request(body))).status).toBe(403);
    expect(heard).toEqual([expect.objectContaining({ message: expect.stringContaining("authorise must return true or false") })]);
    expect(happened).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["false", false],
    ["an empty text", ""],
    ["an error", new Error("no session")],
    ["a list", []],
  ])("answers 500 if context gives %s, which is no user and no guest", async (_name, answer) => {
    const { decide, body } = await paused({ context: () => answer as never, onError: () => undefined });
    expect((await decide(request(body))).status).toBe(500);
    expect(happened).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["edited arguments beside approve", { arguments: { order: "B-18" } }, 'Edited arguments take the decision "approve_edited".'],
    ["a misspelt confirmationId", { confirmationID: "other" }, 'Did you mean "confirmationId"?'],
  ])("answers 400 for a decision with %s, and nothing runs", async (_name, more, hint) => {
    const { decide, decision, runId } = await paused();
    const [status, error] = await statusAndError(await decide(request({ runId, decisions: [{ ...decision, ...more }] })));
    expect([status, error]).toEqual([400, expect.stringContaining(hint)]);
    expect(happened).toEqual([]);
  });

  it("runs nothing if claims answer neither true nor false: a database's answer would count as yes", async () => {
    const { body, store } = await paused();
    const heard: unknown[] = [];
    const decide = decideHandler({
      agent: () => agentOf(new ScriptedModel(["never"])),
      format: "json",
      pausedRuns: { store, authorise: () => true, claims: { claim: () => ({ rowCount: 0 }) as never } },
      onError: (error) => heard.push(error),
    });
    expect((await decide(request(body))).status).toBe(500);
    expect(heard).toEqual([expect.objectContaining({ message: expect.stringContaining("must return true for the first") })]);
    expect(happened).toEqual([]);
  });

  it("answers 404 for a run that isn't there", async () => {
    const { decide, decision } = await paused();
    expect(await statusAndError(await decide(request({ runId: "run-0", decisions: [decision] })))).toEqual([
      404,
      expect.stringContaining('No run "run-0" waits'),
    ]);
  });

  it.each(["json", "sse", "ui"] as const)("runs a call once if two people approve it at the same time (%s)", async (format) => {
    const { decide, body } = await paused({ format });
    const responses = await Promise.all([decide(request(body)), decide(request(body))]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await statusAndError(responses.find(({ status }) => status === 409)!)).toEqual([409, expect.stringContaining("decided before")]);
    await responses.find(({ status }) => status === 200)!.text();
    expect(happened).toEqual(["refunded A-17"]);
  });

  it("answers 409 for another confirmation, and for a call that doesn't wait", async () => {
    const { decide, decision, runId } = await paused();
    const other = { ...decision, confirmationId: "0".repeat(64) };
    expect((await decide(request({ runId, decisions: [other] }))).status).toBe(409);
    expect((await decide(request({ runId, decisions: [{ callId: "call_9", decision: "approve" }] }))).status).toBe(409);
    expect(happened).toEqual([]);
  });

  it("answers 409 for an approval of a tool that the context doesn't give, and still takes a denial", async () => {
    const { body, runId, decision, store } = await paused();
    @model(new ScriptedModel(["As you like."]))
    @usesTools(({ userId }) => (userId === undefined ? [] : [RefundTool]))
    @identifier("support")
    class SupportAgent extends Agent {}
    const decide = decideHandler({ agent: () => new SupportAgent(), format: "json", pausedRuns: { store, authorise: () => true } });
    expect(await statusAndError(await decide(request(body)))).toEqual([409, expect.stringContaining("was approved, but can't run")]);
    expect((await decide(request({ runId, decisions: [{ ...decision, decision: "deny" }] }))).status).toBe(200);
    expect(happened).toEqual([]);
  });

  it("answers 410 for an approval that comes too late, and still takes a denial", async () => {
    const { decide, decision, body, runId } = await paused({}, 1);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await statusAndError(await decide(request(body)))).toEqual([410, expect.stringContaining("could be approved until")]);
    expect(happened).toEqual([]);
    expect((await decide(request({ runId, decisions: [{ ...decision, decision: "deny" }] }))).status).toBe(200);
  });

  it("answers 400 for edited arguments that don't fit, and the person can correct them", async () => {
    const { decide, decision, runId } = await paused();
    const edited = (values: unknown) => request({ runId, decisions: [{ ...decision, decision: "approve_edited", arguments: values }] });
    expect(await statusAndError(await decide(edited({ order: 17, more: true })))).toEqual([400, expect.stringContaining("don't fit")]);
    expect((await decide(edited({ order: "B-4" }))).status).toBe(200);
  });

  it.each([
    ["no decisions", { decisions: [] }],
    ["a decision that is none", { decisions: ["approve"] }],
    ["a decision of another kind", { decisions: [{ callId: "call_1", decision: "maybe" }] }],
    ["an edit without arguments", { decisions: [{ callId: "call_1", decision: "approve_edited" }] }],
    ["a form that is another's", { confirmationId: "1", decision: "approve" }],
  ])("answers 400 for %s", async (_name, body) => {
    const { decide, runId } = await paused();
    expect((await decide(request({ runId, ...body }))).status).toBe(400);
  });

  it("answers 409 for a second decision while the run waits for the next one", async () => {
    const refund = (order: string) => ({ toolCalls: [callOf("refund", { order })] });
    const script = new ScriptedModel([refund("A-17"), refund("B-4"), "Both."]);
    const pausedRuns = { store: new MemoryRunStateStore(), authorise: () => true };
    const settings = { agent: () => agentOf(script), format: "json" as const, pausedRuns };
    const { runId, confirmations } = (await (await agentHandler(settings)(request({ prompt: "Refund" }))).json()) as any;
    const decision = { callId: confirmations[0].callId, decision: "approve" };
    const again = (await (await decideHandler(settings)(request({ runId, decisions: [decision] }))).json()) as any;
    expect(again.outcome.reason).toBe("awaiting_confirmation");
    expect((await decideHandler(settings)(request({ runId, decisions: [decision] }))).status).toBe(409);
    expect(happened).toEqual(["refunded A-17"]);
  });

  it("answers 404 once the conversation went on without the run, and its calls don't run", async () => {
    const script = new ScriptedModel([{ toolCalls: [callOf("refund", { order: "A-17" })] }, "As you like."]);
    const conversations = new MemoryConversationStore();
    const settings: AgentHandlerOptions & DecideHandlerOptions = {
      agent: () => agentOf(script).load(conversations, "ada"),
      format: "json",
      pausedRuns: { store: new MemoryRunStateStore(), authorise: () => true },
      onFinish: ({ agent }) => agent.save(conversations, "ada"),
    };
    const chat = agentHandler(settings);
    const { runId, confirmations } = (await (await chat(request({ prompt: "Refund A-17" }))).json()) as any;
    await chat(request({ prompt: "No, leave it." }));
    const decisions = [{ callId: confirmations[0].callId, decision: "approve" }];
    expect((await decideHandler(settings)(request({ runId, decisions }))).status).toBe(404);
    expect(happened).toEqual([]);
  });

  it("counts a decision once if several processes share the claims", async () => {
    const { body, runId, store, script } = await paused();
    const state = stored(store.load(runId)!);
    const claimed = new Set<string>();
    const claims = { claim: (ids: readonly string[]) => ids.every((id) => !claimed.has(id) && claimed.add(id)) };
    const process = () => {
      const own = new MemoryRunStateStore();
      own.save(runId, state);
      return decideHandler({ agent: () => agentOf(script), format: "json", pausedRuns: { store: own, claims, authorise: () => true } });
    };
    expect((await process()(request(body))).status).toBe(200);
    expect((await process()(request(body))).status).toBe(409);
    expect(claimed.size).toBeGreaterThan(0);
    expect(happened).toEqual(["refunded A-17"]);
  });

  it("goes on with what a database gave back, and answers 500 for a state that was changed", async () => {
    const { body, runId, store, script } = await paused();
    const state = stored(store.load(runId)!);
    const heard: unknown[] = [];
    const onError = (error: unknown) => void heard.push(error);
    const of = (kept: RunState) =>
      decideHandler({
        agent: () => agentOf(script),
        format: "json",
        pausedRuns: {
          store: { load: async () => kept, save: async () => undefined, delete: async () => undefined },
          authorise: () => true,
        },
        onError,
      });
    expect((await of({ ...state, tags: { user: "mallory" } })(request(body))).status).toBe(500);
    expect(heard).toMatchObject([{ name: "RunStateError", reason: "edited" }]);
    expect((await of(state)(request(body))).status).toBe(200);
  });
});

describe("toNodeHandler", () => {
  it("gives the handler the request as it came, with its path, headers and body", async () => {
    const url = await serve(
      toNodeHandler(async (got) =>
        Response.json({ url: got.url, user: got.headers.get("x-user"), body: await got.text(), method: got.method }),
      ),
    );
    const response = await fetch(`${url}//other.example/path?a=1`, { method: "PUT", body: "text", headers: { "x-user": "ada" } });
    expect(await response.json()).toEqual({ url: `${url}//other.example/path?a=1`, user: "ada", body: "text", method: "PUT" });
  });

  it("sends status, headers, cookies and a response without a body", async () => {
    const headers = new Headers([
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
      ["x-more", "yes"],
    ]);
    const url = await serve(toNodeHandler(() => new Response(null, { status: 204, headers })));
    const response = await fetch(url);
    expect([response.status, response.headers.getSetCookie(), response.headers.get("x-more")]).toEqual([204, ["a=1", "b=2"], "yes"]);
  });

  it("answers 500 if the handler throws, and the server lives on", async () => {
    const warnings = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const url = await serve(toNodeHandler(() => Promise.reject(new Error("a bug"))));
    expect((await fetch(url)).status).toBe(500);
    expect(await (await fetch(url)).json()).toEqual({ error: "The request failed on the server." });
    expect(warnings).toHaveBeenCalledTimes(2);
  });

  it("leaves the answer to another process that has given one meanwhile, and ends the run", async () => {
    const outcomes: string[] = [];
    const onFinish = ({ response }: FinishedRun) => void outcomes.push(response.outcome.reason);
    const agent = (got: Request) => {
      busy.get(nodeRequestOf(got))?.writeHead(503).end("Too busy.");
      return agentOf([{ toolCalls: [callOf("wait")] }]);
    };
    const handler = toNodeHandler(handlerOf([], { agent, onFinish }));
    const busy = new Map<NodeRequest | undefined, ServerResponse>();
    const handled: Promise<void>[] = [];
    const url = await serve((request, response) => {
      busy.set(request, response);
      handled.push(handler(request, response));
    });
    const response = await postJson(url, { prompt: "Wait" });
    expect([response.status, await response.text()]).toEqual([503, "Too busy."]);
    await Promise.all(handled);
    await until(() => outcomes.length > 0);
    expect(outcomes).toEqual(["aborted"]);
  });

  it("ends the run of a client that left while something before the handler took its time", async () => {
    const outcomes: string[] = [];
    const onFinish = ({ response }: FinishedRun) => void outcomes.push(response.outcome.reason);
    const handler = toNodeHandler(handlerOf([{ toolCalls: [callOf("wait")] }], { format: "json", onFinish }));
    const controller = new AbortController();
    const url = await serve((request, response) => {
      const parsed = Object.assign(request, { body: { prompt: "Wait" } });
      request.resume();
      response.once("close", () => setImmediate(() => void handler(parsed, response)));
      setImmediate(() => controller.abort());
    });
    await expect(postJson(url, { prompt: "Wait" }, { signal: controller.signal })).rejects.toThrow();
    await until(() => outcomes.length > 0);
    expect(outcomes).toEqual(["aborted"]);
  });

  it("doesn't warn of a client that left in the middle of a body", async () => {
    const warnings = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const handler = toNodeHandler(handlerOf(["never"]));
    const handled: Promise<void>[] = [];
    const url = await serve((request, response) => handled.push(handler(request, response)));
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write('POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"prompt":');
    await until(() => handled.length === 1);
    socket.destroy();
    await handled[0];
    expect(warnings).not.toHaveBeenCalled();
  });

  it("answers 400 to a host that is none", async () => {
    const url = await serve(toNodeHandler(() => new Response("never")));
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.end("GET / HTTP/1.1\r\nHost: a b|c\r\nConnection: close\r\n\r\n");
    let text = "";
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(/^HTTP\/1.1 400 /);
  });

  it("answers 413 before the rest of a large body has come, and keeps the connection usable", async () => {
    const url = await serve(toNodeHandler(handlerOf(["Hello."], { bodyLimit: 10_000 })));
    const endless = new ReadableStream({
      pull: (controller) => {
        sent += 1;
        controller.enqueue(new Uint8Array(10_000));
        if (sent === 200) controller.close();
      },
    });
    let sent = 0;
    const init = { body: endless, duplex: "half" } as RequestInit;
    expect((await postJson(url, "", init)).status).toBe(413);
    expect((await postJson(url, { prompt: "Hi" })).status).toBe(200);
  });

  it("leads back to the request of Node", async () => {
    const url = await serve(toNodeHandler((got) => new Response(nodeRequestOf(got)?.socket.remoteAddress ?? "nobody")));
    expect(await (await fetch(url)).text()).toBe("127.0.0.1");
    expect(nodeRequestOf(new Request(url))).toBeUndefined();
  });
});

describe("options that would do nothing are refused:", () => {
  const shared = {
    agent: () => agentOf(["Hello."]),
    format: "json",
    pausedRuns: { store: new MemoryRunStateStore(), authorise: () => true },
  };
  // What their types exclude comes from JavaScript, and from configurations.
  const chat = (options: object) => () => agentHandler({ ...shared, ...options } as AgentHandlerOptions);

  it.each<[string, () => unknown, string]>([
    ["a misspelt one", chat({ contxt: () => ({}) }), 'agentHandler: unknown option "contxt". Did you mean "context"?'],
    [
      "a misspelt one of decideHandler",
      () => decideHandler({ ...shared, contxt: () => ({}) } as unknown as DecideHandlerOptions),
      'decideHandler: unknown option "contxt". Did you mean "context"?',
    ],
    ["a format that there isn't", chat({ format: "html" }), "agentHandler: format must be one of sse, ui, json."],
    [
      "an agent for all requests",
      chat({ agent: agentOf([]) }),
      "agentHandler: agent must be a function that gives the agent of a request: agent: () => new SupportAgent().",
    ],
    [
      "one of an event stream",
      () => toEventStream(agentOf(["Hello."]).stream("Hi"), { includState: true } as object),
      'An event stream: unknown option "includState". Did you mean "includeState"?',
    ],
    [
      "one of a UI message stream",
      () => toUiMessageStream(agentOf(["Hello."]).stream("Hi"), { decision: [] } as object),
      'A UI message stream: unknown option "decision". Did you mean "decisions"?',
    ],
  ])("%s", (_name, make, message) => {
    expect(make).toThrow(new TypeError(message));
  });
});

describe("MemoryRunStateStore", () => {
  it("forgets runs that can't be approved any more, and keeps the others", () => {
    const store = new MemoryRunStateStore();
    const state = (expiresAt: string) =>
      ({
        loop: {
          current: {
            calls: [{ id: "call_1" }],
            results: [null],
            gates: { call_1: { confirmations: [{ callId: "call_1", expiresAt }], decisions: [] } },
          },
        },
      }) as unknown as RunState;
    store.save("kept", state("2999-01-01T00:00:00.000Z"));
    for (let number = 0; number < 1_000; number += 1) store.save(`late-${number}`, state("2001-01-01T00:00:00.000Z"));
    expect(store.load("kept")).toBeDefined();
    expect(store.load("late-1")).toBeUndefined();
  });
});

describe("a function of the application that never answers", () => {
  const hang = () => {
    happened.push("asked");
    return new Promise<never>(() => undefined);
  };

  it.each(["agent", "context", "options"] as const)("%s: the handler ends when the sender leaves, and reports nothing", async (name) => {
    const heard: unknown[] = [];
    const controller = new AbortController();
    const handler = handlerOf(["Hello."], { [name]: hang, onError: (error) => void heard.push(error) });
    const answered = handler(request({ prompt: "Hi" }, { signal: controller.signal }));
    await until(() => happened.length === 1);
    controller.abort();
    expect((await answered).status).toBe(499);
    expect(heard).toEqual([]);
  });

  it.each(["load", "authorise"] as const)("%s of the runs that wait: the handler ends when the sender leaves", async (name) => {
    const controller = new AbortController();
    const store = {
      load: () => (name === "load" ? hang() : ({ runId: "run_1" } as RunState)),
      save: () => undefined,
      delete: () => undefined,
    };
    const pausedRuns = { store, authorise: () => hang() };
    const decide = decideHandler({ agent: () => agentOf([]), format: "json", pausedRuns });
    const body = { runId: "run_1", decisions: [{ callId: "call_1", decision: "approve" }] };
    const answered = decide(request(body, { signal: controller.signal }));
    await until(() => happened.length === 1);
    controller.abort();
    expect((await answered).status).toBe(499);
  });
});
