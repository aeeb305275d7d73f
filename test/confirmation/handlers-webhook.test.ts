import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import {
  approve,
  approveEdited,
  type Confirmation,
  confirmByWebhook,
  type Decision,
  deny,
  signDecision,
  verifyWebhook,
  type WebhookProblem,
  WebhookVerificationError,
} from "../../src/confirmation/index.js";
import { openSigned } from "../../src/confirmation/handlers/webhook/webhook-signature.js";
import { ScriptedModel } from "../../src/models/index.js";
import { description, identifier, required, requiresConfirmation, Tool } from "../../src/tool/index.js";
import { confirmationWith, situationWith } from "../support/confirmation.js";

const secret = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;

/** What the server does with one request; the posted confirmation is at hand. */
type Reply = (response: ServerResponse, confirmation: Confirmation) => void;

/** A real HTTP server that people approve at: it plays replies in order, the last one again and again. */
class ApprovalServer {
  readonly posts: Confirmation[] = [];
  readonly requests: IncomingMessage[] = [];
  readonly #server: Server;
  #last = confirmationWith();
  #replies: { posts: Reply[]; answers: Reply[] } = { posts: [], answers: [] };

  private constructor(server: Server) {
    this.#server = server;
    server.on("request", async (request, response) => {
      this.requests.push(request);
      const body = await text(request);
      const posted = request.method === "POST";
      if (posted) this.posts.push((this.#last = verifyWebhook({ headers: request.headers, body }, secret)));
      const replies = posted ? this.#replies.posts : this.#replies.answers;
      const reply = replies.length > 1 ? replies.shift() : replies[0];
      reply?.(response, this.#last);
    });
  }

  static async start(): Promise<ApprovalServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new ApprovalServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/confirmations`;
  }

  /** Forgets what was before. A confirmation that is posted is taken, unless `posts` says otherwise. */
  play(replies: { posts?: Reply[]; answers?: Reply[] }): void {
    this.posts.length = 0;
    this.requests.length = 0;
    this.#replies = { posts: replies.posts ?? [taken], answers: replies.answers ?? [waiting] };
  }

  count(method: string): number {
    return this.requests.filter((request) => request.method === method).length;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

const taken: Reply = (response, { id }) => response.writeHead(202, { location: `/answers/${id}` }).end();
const waiting: Reply = (response) => response.writeHead(202).end();
const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(code, headers).end();
const hangUp: Reply = (response) => response.destroy();
const silence: Reply = () => undefined;
const hangUpInTheBody: Reply = (response) => {
  response.writeHead(200, { "content-length": "100" });
  response.write('{"type":', () => response.destroy());
};
/** Signs what `decide` says of the confirmation, as the server should. */
const decided =
  (
    decide: (confirmation: Confirmation) => Decision,
    changes: (message: { headers: Record<string, string>; body: string }) => void = () => {},
  ): Reply =>
  (response, confirmation) => {
    const message = { ...signDecision(decide(confirmation), secret) };
    changes(message);
    response.writeHead(200, message.headers).end(message.body);
  };

let server: ApprovalServer;
const problems: WebhookProblem[] = [];

beforeAll(async () => {
  server = await ApprovalServer.start();
});
afterAll(() => server.stop());
beforeEach(() => {
  problems.length = 0;
});

const handler = (options: Partial<Parameters<typeof confirmByWebhook>[0]> = {}) =>
  confirmByWebhook({ url: server.url, secret, pollInterval: 5, onProblem: (problem) => problems.push(problem), ...options });

const ask = (confirm = handler(), changes: Partial<Confirmation> = {}) => confirm(confirmationWith(changes), situationWith());

/** Asks for a decision that has to come within half a second. */
const askInVain = (confirm = handler(), abortSignal?: AbortSignal) =>
  confirm(confirmationWith({ expiresAt: new Date(Date.now() + 500).toISOString() }), situationWith(abortSignal));

/** Asks for a decision, and gives up as soon as a problem is told. */
function askToTheFirstProblem(options: Partial<Parameters<typeof confirmByWebhook>[0]> = {}) {
  const controller = new AbortController();
  const onProblem = (problem: WebhookProblem): void => {
    problems.push(problem);
    controller.abort();
  };
  return handler({ onProblem, ...options })(confirmationWith(), situationWith(controller.signal));
}

const reasons = () => problems.map(({ reason }) => reason);
const approved = { callId: "call_1", confirmationId: confirmationWith().id, decision: "approve" };

@identifier("refund")
@description("Refunds an order. Use when the user wants the money back.")
@requiresConfirmation()
class RefundTool extends Tool {
  @required(String) order!: string;
  @required(Number) euros!: number;

  call() {
    return `Refunded ${this.euros} for ${this.order}.`;
  }
}

describe('seed 003, "requiresConfirmation"', () => {
  it("a webhook is posted the confirmation, and asked until somebody has decided", async () => {
    server.play({ answers: [waiting, status(204), decided((confirmation) => approveEdited(confirmation, { order: "A-17", euros: 25 }))] });
    const script = new ScriptedModel([{ toolCalls: [{ name: "refund", arguments: { order: "A-17", euros: 250 } }] }, "Done."]);

    @model(script)
    @usesTools([RefundTool])
    class RefundAgent extends Agent {}

    const agent = new RefundAgent();
    const response = await agent.generate("Refund A-17", { confirm: handler() });
    expect(response.text).toBe("Done.");
    expect(server.posts).toMatchObject([{ runId: response.runId, tool: "refund", input: { order: "A-17", euros: 250 } }]);
    expect(server.count("GET")).toBe(3);
    expect(agent.messages.at(-2)?.content).toContain("Refunded 25 for A-17.");
    expect(problems).toEqual([]);
  });
});

describe("a webhook's decision", () => {
  it("approves", async () => {
    server.play({ answers: [decided((confirmation) => approve(confirmation))] });
    expect(await ask()).toEqual(approved);
  });

  it("denies, with the reason for the model", async () => {
    server.play({ answers: [decided((confirmation) => deny(confirmation, "Too much."))] });
    expect(await ask()).toEqual({ ...approved, decision: "deny", reason: "Too much." });
  });

  it("is asked for where the JSON of the first answer says, too", async () => {
    const named: Reply = (response, { id }) => response.writeHead(200).end(JSON.stringify({ statusUrl: `${server.url}/${id}` }));
    server.play({ posts: [named], answers: [decided((confirmation) => approve(confirmation))] });
    expect(await ask()).toEqual(approved);
    expect(server.requests.at(-1)?.url).toBe(`/confirmations/${approved.confirmationId}`);
  });
});

describe("a webhook that can't answer yet", () => {
  it.each([
    ["breaks the connection", hangUp],
    ["breaks the connection in its answer", hangUpInTheBody],
    ["answers 500", status(500)],
    ["answers 503", status(503)],
    ["answers 429", status(429)],
  ])("is asked again if it %s, and the problem is reported once", async (_what, fault) => {
    server.play({ posts: [fault, fault, taken], answers: [fault, fault, decided((confirmation) => approve(confirmation))] });
    expect(await ask()).toEqual(approved);
    expect(server.count("POST")).toBe(3);
    expect(reasons()).toEqual(["unreachable"]);
  });

  it("receives the same webhook-id at each attempt, so that it can distinguish them from several confirmations", async () => {
    server.play({ posts: [status(500), taken], answers: [decided((confirmation) => approve(confirmation))] });
    await ask();
    const ids = server.requests.filter(({ method }) => method === "POST").map(({ headers }) => headers["webhook-id"]);
    expect(ids).toEqual([approved.confirmationId, approved.confirmationId]);
  });

  it.each([
    ["seconds", () => "1"],
    ["a date", () => new Date(Date.now() + 2_000).toUTCString()],
  ])("is left alone as long as its Retry-After asks, in %s", async (_what, retryAfter) => {
    server.play({ answers: [status(202, { "retry-after": retryAfter() }), decided((confirmation) => approve(confirmation))] });
    const start = Date.now();
    await ask();
    expect(Date.now() - start).toBeGreaterThan(900);
  });

  it("isn't asked more often than the interval, whatever its Retry-After says", async () => {
    server.play({ answers: [status(202, { "retry-after": "0" })] });
    await askInVain(handler({ pollInterval: 100 }));
    expect(server.count("GET")).toBeLessThanOrEqual(6);
  });
});

describe("a webhook that never answers", () => {
  it.each([
    ["no one decides", { answers: [waiting] }, ["expired"]],
    ["it keeps silent", { posts: [silence] }, ["expired"]],
    ["it keeps silent when it is asked", { answers: [silence] }, ["expired"]],
    ["it fails for good", { answers: [status(500)] }, ["unreachable", "expired"]],
  ])("decides nothing until the confirmation expires: %s", async (_what, replies, told) => {
    server.play(replies);
    expect(await askInVain()).toBeUndefined();
    expect(reasons()).toEqual(told);
    expect(problems.at(-1)?.message).toMatch(
      /^The webhook at http:\/\/127\.0\.0\.1:\d+ gave no decision before the confirmation expired at /,
    );
  });

  it("isn't there: nothing is decided", async () => {
    const gone = await ApprovalServer.start();
    const { url } = gone;
    await gone.stop();
    expect(await askToTheFirstProblem({ url })).toBeUndefined();
    expect(problems).toMatchObject([{ reason: "unreachable", message: expect.stringContaining("ECONNREFUSED") }]);
  });

  it("keeps silent for too long: it is asked again", async () => {
    const { setTimeout: wait } = globalThis;
    const timers = jest.spyOn(globalThis, "setTimeout");
    timers.mockImplementation(((work: () => void, delay: number) => wait(work, delay === 10_000 ? 50 : delay)) as typeof setTimeout);
    server.play({ posts: [silence, taken], answers: [decided((confirmation) => approve(confirmation))] });
    expect(await ask()).toEqual(approved);
    expect(problems).toMatchObject([{ reason: "unreachable", message: expect.stringContaining("no answer within 10000 ms") }]);
    timers.mockRestore();
  });

  it("waits for as long as a confirmation that hardly ever expires", async () => {
    server.play({ answers: [waiting, decided((confirmation) => approve(confirmation))] });
    expect(await ask(handler(), { expiresAt: "9999-12-31T00:00:00.000Z" })).toEqual(approved);
  });

  it("is left at once when the run is aborted, and no problem is reported", async () => {
    server.play({ answers: [silence] });
    const controller = new AbortController();
    const decision = handler()(confirmationWith(), situationWith(controller.signal));
    while (server.count("GET") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    expect(await decision).toBeUndefined();
    expect(await askInVain(handler(), controller.signal)).toBeUndefined();
    expect(problems).toEqual([]);
  });

  it("is not asked at all about a confirmation that has expired", async () => {
    server.play({});
    expect(await ask(handler(), { expiresAt: new Date(0).toISOString() })).toBeUndefined();
    expect(server.requests).toEqual([]);
    expect(reasons()).toEqual(["expired"]);
  });

  it("lets a run with many confirmations wait on one signal without a warning of a leak", async () => {
    server.play({});
    const warned = jest.fn();
    process.on("warning", warned);
    const controller = new AbortController();
    await Promise.all(Array.from({ length: 15 }, () => askInVain(handler(), controller.signal)));
    process.off("warning", warned);
    expect(warned).not.toHaveBeenCalled();
  });
});

describe("a webhook that refuses", () => {
  it.each([
    ["401", { posts: [status(401)] }, "answered 401."],
    ["404 when it is asked", { answers: [status(404)] }, "answered 404."],
    [
      "a redirection, which isn't followed",
      { posts: [status(307, { location: "/elsewhere" })] },
      "answered 307; redirects are not followed.",
    ],
    ["a redirection of the answer", { answers: [status(302, { location: "/elsewhere" })] }, "answered 302; redirects are not followed."],
    ["no place to ask at", { posts: [status(200)] }, "named no place of its own origin"],
    [
      "a place of another origin",
      { posts: [status(202, { location: "http://169.254.169.254/latest" })] },
      "named no place of its own origin",
    ],
    ["a place on another port", { posts: [status(202, { location: "http://127.0.0.1:1/" })] }, "named no place of its own origin"],
    ["a place that is no URL", { posts: [status(202, { location: "http://" })] }, "named no place of its own origin"],
  ])("decides nothing: %s", async (_what, replies, message) => {
    server.play(replies);
    expect(await ask()).toBeUndefined();
    expect(problems).toMatchObject([{ reason: "refused", message: expect.stringContaining(message), confirmation: { callId: "call_1" } }]);
    expect(server.requests.some(({ url }) => url === "/elsewhere")).toBe(false);
  });
});

describe("a webhook that lies about its signature", () => {
  const yes = (confirmation: Confirmation) => approve(confirmation);
  const other = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  it.each<[string, Reply, string]>([
    ["signs nothing", (response, confirmation) => response.writeHead(200).end(JSON.stringify(approve(confirmation))), "isn't signed"],
    [
      "signs with another secret",
      (response, confirmation) => {
        const { headers, body } = signDecision(approve(confirmation), other);
        response.writeHead(200, headers).end(body);
      },
      "doesn't fit the message",
    ],
    [
      "changes the decision after it was signed",
      decided(deny, (message) => Object.assign(message, { body: message.body.replace("deny", "approve") })),
      "doesn't fit",
    ],
    ["changes the time", decided(yes, ({ headers }) => Object.assign(headers, { "webhook-timestamp": "1" })), "doesn't fit"],
    ["gives an empty signature", decided(yes, ({ headers }) => Object.assign(headers, { "webhook-signature": "v1," })), "doesn't fit"],
    [
      "gives a signature of another version",
      decided(yes, ({ headers }) => Object.assign(headers, { "webhook-signature": headers["webhook-signature"]!.replace("v1", "v2") })),
      "doesn't fit",
    ],
    ["decides another confirmation", decided((confirmation) => approve({ ...confirmation, id: "other" })), "decides another call"],
    ["decides another call", decided((confirmation) => approve({ ...confirmation, callId: "call_2" })), 'decides another call: "call_2"'],
    [
      "decides nothing that there is",
      decided((confirmation) => ({ ...approve(confirmation), decision: "ok" as "approve" })),
      "neither approves nor denies",
    ],
    [
      "gives arguments that are none",
      decided((confirmation) => approveEdited(confirmation, [] as unknown as Record<string, never>)),
      "neither approves nor denies",
    ],
  ])("decides nothing: it %s", async (_what, reply, message) => {
    server.play({ answers: [reply] });
    expect(await askToTheFirstProblem()).toBeUndefined();
    expect(problems).toMatchObject([{ reason: "untrusted", message: expect.stringContaining(message) }]);
  });

  it("decides nothing with an answer that was signed six minutes ago", async () => {
    const now = Date.now();
    const clock = jest.spyOn(Date, "now").mockReturnValue(now - 360_000);
    const { headers, body } = signDecision(approve(confirmationWith()), secret);
    clock.mockRestore();
    server.play({ answers: [(response) => response.writeHead(200, headers).end(body)] });
    expect(await askToTheFirstProblem()).toBeUndefined();
    expect(problems[0]).toMatchObject({ reason: "untrusted", message: expect.stringMatching(/was signed 36\d s ago/) });
  });

  it("can't send the question back as its own answer", async () => {
    let question: { headers: Record<string, string>; body: string } | undefined;
    const mirror = createServer(async (request, response) => {
      if (request.method === "POST") {
        const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = request.headers;
        question = {
          headers: { "webhook-id": `${id}`, "webhook-timestamp": `${timestamp}`, "webhook-signature": `${signature}` },
          body: await text(request),
        };
        response.writeHead(202, { location: "/" }).end();
      } else response.writeHead(200, question?.headers).end(question?.body);
    });
    await new Promise<void>((resolve) => mirror.listen(0, "127.0.0.1", resolve));
    expect(await askToTheFirstProblem({ url: `http://127.0.0.1:${(mirror.address() as AddressInfo).port}` })).toBeUndefined();
    expect(problems[0]).toMatchObject({ reason: "untrusted", message: expect.stringContaining('it isn\'t "confirmation.decided"') });
    mirror.closeAllConnections();
    mirror.close();
  });

  it("decides nothing with an endless answer", async () => {
    const endless: Reply = (response) => {
      const chunk = "x".repeat(65_536);
      const write = (): void => {
        while (response.write(chunk)) {}
      };
      response.on("drain", write);
      response.writeHead(200);
      write();
    };
    server.play({ answers: [endless] });
    expect(await askToTheFirstProblem()).toBeUndefined();
    expect(problems[0]).toMatchObject({ reason: "unreachable", message: expect.stringContaining("an answer of more than 524288 bytes") });
  });

  it("is reported once, however often it lies", async () => {
    let number = 0;
    server.play({ answers: [decided((confirmation) => approve({ ...confirmation, callId: `call_${(number += 2)}` }))] });
    expect(await askInVain()).toBeUndefined();
    expect(number).toBeGreaterThan(2);
    expect(reasons()).toEqual(["untrusted", "expired"]);
  });

  it("is trusted as soon as it signs its answer correctly", async () => {
    const forged: Reply = (response) => response.writeHead(200).end("{}");
    server.play({ answers: [forged, decided(yes)] });
    expect(await ask()).toEqual(approved);
    expect(reasons()).toEqual(["untrusted"]);
  });
});

describe("a webhook that answers twice", () => {
  it("is accepted once: the first decision of a confirmation holds, and a different one is reported", async () => {
    server.play({ answers: [decided((confirmation) => deny(confirmation, "no")), decided((confirmation) => approve(confirmation))] });
    const confirm = handler();
    const first = await ask(confirm);
    expect(first).toMatchObject({ decision: "deny", reason: "no" });
    expect(await ask(confirm)).toEqual(first);
    expect(problems).toMatchObject([
      {
        reason: "contradicted",
        message: expect.stringContaining('decided "deny" before, and gives another decision ("approve") now. The first holds.'),
      },
    ]);
  });

  it("may say the same again", async () => {
    server.play({ answers: [decided((confirmation) => approve(confirmation))] });
    const confirm = handler();
    expect([await ask(confirm), await ask(confirm)]).toEqual([approved, approved]);
    expect(problems).toEqual([]);
  });

  it("says nothing with two decisions in one answer", async () => {
    const both = decided(
      (confirmation) => approve(confirmation),
      (message) => Object.assign(message, { body: message.body + message.body }),
    );
    server.play({ answers: [both] });
    expect(await askToTheFirstProblem()).toBeUndefined();
    expect(reasons()).toEqual(["untrusted"]);
  });
});

describe("problems with a webhook", () => {
  it("are process warnings without an onProblem, and don't show the secret", async () => {
    const warned = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    server.play({ posts: [status(403)] });
    const { url } = server;
    await ask(confirmByWebhook({ url, secret }));
    expect(warned).toHaveBeenCalledWith(
      `The webhook at ${new URL(url).origin} answered 403. Nothing was decided by it of the call "call_1" (refund).`,
      "ToolwrightWarning",
    );
    warned.mockRestore();
  });

  it("lose nothing if the listener throws", async () => {
    const warned = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    server.play({ answers: [status(500), decided((confirmation) => approve(confirmation))] });
    const onProblem = () => {
      throw new Error("the log is full");
    };
    expect(await ask(handler({ onProblem }))).toEqual(approved);
    expect(warned).toHaveBeenCalledWith("confirmByWebhook: onProblem failed: the log is full", "ToolwrightWarning");
    warned.mockRestore();
  });
});

describe("a webhook that is set up wrongly", () => {
  it.each<[string, Partial<Parameters<typeof confirmByWebhook>[0]>, string]>([
    [
      "no secret",
      { secret: undefined as unknown as string },
      "confirmByWebhook: secret must be a string that can't be guessed, of at least 32 bytes; got undefined.",
    ],
    [
      "a short secret",
      { secret: "hunter2" },
      "confirmByWebhook: secret must have at least 32 bytes, got 7. Make one: openssl rand -base64 32.",
    ],
    [
      "a short secret in base64",
      { secret: "whsec_aHVudGVyMg==" },
      "confirmByWebhook: secret must have at least 32 bytes, got 7. Make one: openssl rand -base64 32.",
    ],
    ["24 bytes in base64", { secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }, "secret must have at least 32 bytes, got 24"],
    ["no URL", { url: "approvals" }, 'url is an absolute http(s) URL without user and password, got "approvals"'],
    ["another protocol", { url: "file:///etc/passwd" }, "got one of file://"],
    ["a password in the URL", { url: "https://user:hunter2@example.com/" }, "without user and password, got one of https://"],
    ["no interval", { pollInterval: 0 }, "pollInterval is a number of milliseconds above 0, got 0"],
  ])("is refused at once: %s", (_what, options, message) => {
    const make = () => confirmByWebhook({ url: "https://example.com", secret, ...options });
    expect(make).toThrow(message);
    expect(make).not.toThrow("hunter2");
  });
});

describe("the other side: verifyWebhook and signDecision", () => {
  const signed = (changes: Record<string, string> = {}) => {
    const { headers, body } = signDecision(approve(confirmationWith()), secret);
    return { headers: { ...headers, ...changes }, body };
  };
  it("take no short secret either", () => {
    expect(() => verifyWebhook(signed(), "hunter2")).toThrow("verifyWebhook: secret must have at least 32 bytes, got 7.");
    expect(() => signDecision(approve(confirmationWith()), "hunter2")).toThrow("signDecision: secret must have at least 32 bytes, got 7.");
  });

  const reasonOf = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      if (error instanceof WebhookVerificationError) return error.reason;
      throw error;
    }
    return "none";
  };

  it("sign as Standard Webhooks 1.0 does: its own example has its own signature", () => {
    const message = {
      headers: {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,bm9uZQ== v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      },
      body: '{"test": 2432232314}',
    };
    // Its secret is shorter than those that are taken here.
    const key = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
    const clock = jest.spyOn(Date, "now").mockReturnValue(1614265330_000);
    expect(openSigned(message, key).payload).toEqual({ test: 2432232314 });
    expect(reasonOf(() => openSigned({ ...message, body: '{"test": 2432232315}' }, key))).toBe("bad_signature");
    clock.mockRestore();
  });

  it("take the headers of node:http, of fetch, and bodies as bytes", async () => {
    server.play({ answers: [decided((confirmation) => approve(confirmation))] });
    let message: { headers: Headers; body: Uint8Array } | undefined;
    const receiver = createServer(async (request, response) => {
      message = { headers: new Headers(request.headers as Record<string, string>), body: Buffer.from(await text(request)) };
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const confirmation = confirmationWith({ input: { text: "Größe \u{1f389}" } });
    await handler({ url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}` })(confirmation, situationWith());
    expect(verifyWebhook(message!, secret)).toEqual(confirmation);
    receiver.closeAllConnections();
    receiver.close();
  });

  it.each([
    ["no_signature", { "webhook-signature": undefined as unknown as string }],
    ["bad_signature", { "webhook-id": "other" }],
    ["bad_signature", { "webhook-signature": "v1,short" }],
    ["unexpected", {}],
  ])("refuse what isn't right: %s", (reason, changes) => {
    expect(reasonOf(() => verifyWebhook(signed(changes), secret))).toBe(reason);
  });

  it("take headers whose names are written with capitals", () => {
    const { headers, body } = signed();
    const capitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    expect(reasonOf(() => verifyWebhook({ headers: capitals, body }, secret))).toBe("unexpected");
  });

  it("refuse a message of which any signed part was changed", () => {
    const { headers, body } = signed();
    const parts = ["webhook-id", "webhook-timestamp"] as const;
    fc.assert(
      fc.property(fc.constantFrom("body", ...parts), fc.nat(), fc.string({ unit: "grapheme", minLength: 1 }), (part, at, text) => {
        const changed = (value: string): string => value.slice(0, at % value.length) + text + value.slice(at % value.length);
        const message =
          part === "body" ? { headers, body: changed(body) } : { headers: { ...headers, [part]: changed(headers[part] ?? "") }, body };
        expect(reasonOf(() => verifyWebhook(message, secret))).toBe("bad_signature");
      }),
    );
  });

  it("refuse to sign a decision that doesn't say which confirmation the person saw", () => {
    expect(() => signDecision(approve("call_1"), secret)).toThrow("Make it with the confirmation: approve(confirmation)");
  });
});
