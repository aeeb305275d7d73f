import "reflect-metadata";
import { Controller, type INestApplication, Module, Post, Req, Res, type Type } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import express, { type Express } from "express";
import fastify, { type FastifyInstance } from "fastify";
import { approve } from "../../src/confirmation/index.js";
import type { RunState } from "../../src/loop/index.js";
import { agentHandler, decideHandler, MemoryRunStateStore, type NodeRequest, nodeRequestOf, toNodeHandler } from "../../src/web/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { agentOf, callOf, closeServers, framesIn, happened, postJson, serve } from "./support.js";
import { until } from "../support/until.js";

afterAll(closeServers);
beforeEach(() => happened.splice(0));

const userOf = (request: Request): string | undefined => (nodeRequestOf(request) as { user?: string } | undefined)?.user;

/** The two endpoints of a chat, for the script of one run. */
function endpoints(script: ScriptedModel) {
  const pausedRuns = {
    store: new MemoryRunStateStore(),
    authorise: (request: Request, state: RunState) => userOf(request) === state.tags?.user,
  };
  const agent = () => agentOf(script);
  const options = (request: Request) => ({ tags: { user: userOf(request) ?? "nobody" } });
  return {
    chat: toNodeHandler(agentHandler({ agent, format: "sse", pausedRuns, options })),
    decide: toNodeHandler(decideHandler({ agent, format: "sse", pausedRuns, options: () => ({}) })),
  };
}

const refundScript = () => new ScriptedModel([{ toolCalls: [callOf("refund", { order: "A-17" })] }, "Your money is on its way."]);

/** A person asks for a refund over HTTP, and approves it by another request. */
async function refundOver(url: string): Promise<string> {
  const asked = framesIn(await (await postJson(`${url}/chat`, { prompt: "Refund A-17" })).text());
  const { runId, confirmations } = asked.at(-1)!.data.response;
  const decided = await postJson(`${url}/decide`, { runId, decisions: [approve(confirmations[0])] });
  return framesIn(await decided.text()).at(-1)!.data.response.text;
}

const signIn = (request: unknown, _response: unknown, next: () => void): void => {
  (request as { user?: string }).user = "ada";
  next();
};

describe("in Express", () => {
  it.each<[string, (app: Express) => Express]>([
    ["without a body parser", (app) => app],
    ["after express.json()", (app) => app.use(express.json())],
    ["after express.text()", (app) => app.use(express.text({ type: "*/*" }))],
    ["after express.raw()", (app) => app.use(express.raw({ type: "*/*" }))],
  ])("a chat asks, is answered and goes on, %s", async (_name, prepare) => {
    const { chat, decide } = endpoints(refundScript());
    const app = prepare(express()).use(signIn).post("/chat", chat).post("/decide", decide);
    expect(await refundOver(await serve(app))).toBe("Your money is on its way.");
    expect(happened).toEqual(["refunded A-17"]);
  });

  it.each([
    ["without a body parser", (app: Express) => app],
    ["after express.urlencoded()", (app: Express) => app.use(express.urlencoded())],
  ])("takes the form of a confirmation card %s", async (_name, prepare) => {
    const { chat, decide } = endpoints(refundScript());
    const url = await serve(prepare(express()).use(signIn).post("/chat", chat).post("/decide", decide));
    const asked = framesIn(await (await postJson(`${url}/chat`, { prompt: "Refund A-17" })).text());
    const { runId, callId, id } = asked.at(-1)!.data.response.confirmations[0];
    const body = new URLSearchParams({ runId, callId, confirmationId: id, decision: "approve", reason: "a & b" });
    const decided = await fetch(`${url}/decide`, { method: "POST", body });
    expect(framesIn(await decided.text()).at(-1)!.data.response.text).toBe("Your money is on its way.");
  });

  it("knows the whole path of a request under a router", async () => {
    const router = express.Router().post(
      "/chat",
      toNodeHandler(({ url }) => new Response(new URL(url).pathname)),
    );
    const url = await serve(express().use("/api", router));
    expect(await (await postJson(`${url}/api/chat`, {})).text()).toBe("/api/chat");
  });

  it("answers bad requests with a status and a reason", async () => {
    const url = await serve(express().use(express.json()).post("/chat", endpoints(refundScript()).chat));
    const refused = await fetch(`${url}/chat`, { method: "POST", body: "Hi", headers: { "content-type": "text/plain" } });
    expect([refused.status, await refused.json()]).toEqual([415, { error: expect.stringContaining("application/json") }]);
    expect((await postJson(`${url}/chat`, {})).status).toBe(400);
  });

  it("aborts the run when the browser leaves: the tool sees its signal", async () => {
    const app = express()
      .use(express.json())
      .post("/chat", endpoints(new ScriptedModel([{ toolCalls: [callOf("wait")] }])).chat);
    const controller = new AbortController();
    const response = await postJson(`${await serve(app)}/chat`, { prompt: "Wait" }, { signal: controller.signal });
    await until(() => happened.includes("waiting"));
    controller.abort();
    await response.text().catch(() => undefined);
    await until(() => happened.includes("aborted"));
  });
});

describe("in Fastify", () => {
  let application: FastifyInstance | undefined;
  afterEach(() => application?.close());

  /** Both endpoints as the documentation has them; Fastify reads JSON bodies itself. */
  async function start({ chat, decide }: ReturnType<typeof endpoints>): Promise<string> {
    application = fastify({ forceCloseConnections: true });
    for (const [path, handler] of Object.entries({ "/chat": chat, "/decide": decide })) {
      application.post(path, (request, reply) => {
        reply.hijack();
        return handler(Object.assign(request.raw, { body: request.body, user: "ada" }), reply.raw);
      });
    }
    return application.listen({ port: 0, host: "127.0.0.1" });
  }

  it("a chat asks, is answered and goes on", async () => {
    expect(await refundOver(await start(endpoints(refundScript())))).toBe("Your money is on its way.");
    expect(happened).toEqual(["refunded A-17"]);
  });

  it("answers bad requests with a status and a reason", async () => {
    const refused = await postJson(`${await start(endpoints(refundScript()))}/chat`, {});
    expect([refused.status, await refused.json()]).toEqual([400, { error: expect.stringContaining("prompt") }]);
  });

  it("aborts the run when the browser leaves: the tool sees its signal", async () => {
    const url = await start(endpoints(new ScriptedModel([{ toolCalls: [callOf("wait")] }])));
    const controller = new AbortController();
    const response = await postJson(`${url}/chat`, { prompt: "Wait" }, { signal: controller.signal });
    await until(() => happened.includes("waiting"));
    controller.abort();
    await response.text().catch(() => undefined);
    await until(() => happened.includes("aborted"));
  });
});

describe("in Nest", () => {
  let application: INestApplication | undefined;
  afterEach(() => application?.close());

  async function start(controller: Type): Promise<string> {
    @Module({ controllers: [controller] })
    class ShopModule {}

    application = await NestFactory.create(ShopModule, { logger: false });
    application.use(signIn);
    await application.listen(0, "127.0.0.1");
    return application.getUrl();
  }

  it("a chat asks, is answered and goes on, in a controller", async () => {
    const { chat, decide } = endpoints(refundScript());

    @Controller()
    class ChatController {
      @Post("chat")
      chat(@Req() request: NodeRequest, @Res() response: Parameters<typeof chat>[1]) {
        return chat(request, response);
      }

      @Post("decide")
      decide(@Req() request: NodeRequest, @Res() response: Parameters<typeof chat>[1]) {
        return decide(request, response);
      }
    }

    expect(await refundOver(await start(ChatController))).toBe("Your money is on its way.");
    expect(happened).toEqual(["refunded A-17"]);
  });
});
