import { Body, type CanActivate, Controller, type ExecutionContext, Injectable, Post, Req, Res, UseGuards } from "@nestjs/common";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { Test } from "@nestjs/testing";
import type { FastifyReply, FastifyRequest } from "fastify";
import { approve } from "../../src/confirmation/index.js";
import type { RunState } from "../../src/loop/index.js";
// biome-ignore lint/style/useImportType: the compiler emits what constructors take
import { AgentFactory, ToolwrightModule } from "../../src/nest/index.js";
import { agentHandler, decideHandler, MemoryRunStateStore, nodeRequestOf, sendEventStream, toNodeHandler } from "../../src/web/index.js";
import { description, identifier, requiresConfirmation, Tool, type ToolContext } from "../../src/tool/index.js";
import { framesIn, happened, postJson, WaitTool } from "../web/support.js";
import { until } from "../support/until.js";
import { agentThatCalls } from "./support.js";

/** Who asked, as a guard found out. */
interface Signed extends FastifyRequest {
  user: string;
}

@Injectable()
class SessionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Signed>();
    request.user = String(request.headers["x-user"]);
    return true;
  }
}

@identifier("who")
@description("Tells who asks.")
class WhoTool extends Tool {
  call({ user }: ToolContext & { readonly user?: string }) {
    return `It is ${user}.`;
  }
}

@identifier("refund")
@description("Refunds the last order.")
@requiresConfirmation()
class RefundTool extends Tool {
  call({ user }: ToolContext & { readonly user?: string }) {
    happened.push(`refunded for ${user}`);
    return "Refunded.";
  }
}

class WhoAgent extends agentThatCalls(WhoTool) {}
class RefundAgent extends agentThatCalls(RefundTool) {}
class WaitAgent extends agentThatCalls(WaitTool) {}

@Controller()
@UseGuards(SessionGuard)
class InjectedController {
  constructor(private readonly agent: WhoAgent) {}

  @Post("injected")
  chat(@Body("prompt") prompt: string, @Res() reply: FastifyReply) {
    reply.hijack();
    return sendEventStream(this.agent.stream(prompt), reply.raw);
  }
}

const signed = (request: Request) => nodeRequestOf(request) as unknown as Signed;

@Controller()
@UseGuards(SessionGuard)
class FactoryController {
  private readonly options = {
    agent: (request: Request) => this.agents.create(RefundAgent, signed(request)),
    pausedRuns: {
      store: new MemoryRunStateStore(),
      authorise: (request: Request, { tags }: RunState) => signed(request).user === tags?.user,
    },
    format: "sse" as const,
  };
  private readonly handlers = {
    chat: toNodeHandler(agentHandler({ ...this.options, options: (request) => ({ tags: { user: signed(request).user } }) })),
    decide: toNodeHandler(decideHandler(this.options)),
  };

  constructor(private readonly agents: AgentFactory) {}

  @Post("made")
  async made(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const agent = await this.agents.create(WhoAgent, request);
    reply.hijack();
    await sendEventStream(agent.stream("Who am I?"), reply.raw);
  }

  @Post("wait")
  async wait(@Res() reply: FastifyReply) {
    const agent = await this.agents.create(WaitAgent);
    reply.hijack();
    await sendEventStream(agent.stream("Wait"), reply.raw);
  }

  @Post("chat")
  chat(@Req() request: Signed, @Res() reply: FastifyReply) {
    return this.#answer("chat", request, reply);
  }

  @Post("decide")
  decide(@Req() request: Signed, @Res() reply: FastifyReply) {
    return this.#answer("decide", request, reply);
  }

  #answer(endpoint: "chat" | "decide", { raw, body, user }: Signed, reply: FastifyReply): Promise<void> {
    reply.hijack();
    return this.handlers[endpoint](Object.assign(raw, { body, user }), reply.raw);
  }
}

describe("a Nest application on Fastify", () => {
  let url: string;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [
        ToolwrightModule.forRoot({ toolContext: ({ user }: Signed) => ({ user }) }),
        ToolwrightModule.forFeature({ agents: [WhoAgent, RefundAgent, WaitAgent] }),
      ],
      controllers: [InjectedController, FactoryController],
    }).compile();
    const application = module.createNestApplication(new FastifyAdapter({ forceCloseConnections: true }));
    await application.listen(0, "127.0.0.1");
    url = await application.getUrl();
    close = () => application.close();
  });
  afterAll(() => close());
  beforeEach(() => happened.splice(0));

  const as = (user: string) => ({ headers: { "content-type": "application/json", "x-user": user } });

  it.each(["injected", "made"])("streams the run of an agent that is %s, with what a guard put on the request", async (path) => {
    const response = await postJson(`${url}/${path}`, { prompt: "Who am I?" }, as("ada"));
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const { steps } = framesIn(await response.text()).at(-1)!.data.response;
    expect(steps[0].toolCalls[0].content).toBe("It is ada.");
  });

  it("waits for a person, and goes on in the request that brings the decision", async () => {
    const asked = framesIn(await (await postJson(`${url}/chat`, { prompt: "Refund it" }, as("ada"))).text());
    const { runId, confirmations } = asked.at(-1)!.data.response;
    const decision = { runId, decisions: [approve(confirmations[0])] };
    expect((await postJson(`${url}/decide`, decision, as("bob"))).status).toBe(403);
    await (await postJson(`${url}/decide`, decision, as("ada"))).text();
    expect(happened).toEqual(["refunded for ada"]);
  });

  it("aborts the run when the browser leaves: the tool sees its signal", async () => {
    const controller = new AbortController();
    const response = await postJson(`${url}/wait`, {}, { ...as("ada"), signal: controller.signal });
    await until(() => happened.includes("waiting"));
    controller.abort();
    await response.text().catch(() => undefined);
    await until(() => happened.includes("aborted"));
  });
});
