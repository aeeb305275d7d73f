import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Inject,
  Injectable,
  Module,
  Param,
  Post,
  Req,
  Res,
  Scope,
  UseGuards,
  VersioningType,
} from "@nestjs/common";
import { REQUEST } from "@nestjs/core";
import type { Request, Response } from "express";
import { Agent, instructions, model, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import type { RunState } from "../../src/loop/index.js";
// biome-ignore lint/style/useImportType: the compiler emits what constructors take
import { AgentFactory, ToolwrightModule } from "../../src/nest/index.js";
import { agentHandler, decideHandler, MemoryRunStateStore, nodeRequestOf, sendEventStream, toNodeHandler } from "../../src/web/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import {
  type ApplicationContext,
  description,
  identifier,
  required,
  access,
  requiresConfirmation,
  Tool,
  type ToolContext,
} from "../../src/tool/index.js";
import { framesIn, happened, postJson } from "../web/support.js";
import { until } from "../support/until.js";
import { closeApplications, scriptedAgent, start } from "./support.js";

afterEach(closeApplications);
beforeEach(() => happened.splice(0));

/** Who asked, as a guard found out. */
interface Signed extends Request {
  user?: string;
}

@Injectable()
class SessionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Signed>();
    request.user = request.header("x-user") ?? "nobody";
    return request.user !== "mallory";
  }
}

@Injectable()
class WeatherService {
  at(city: string): string {
    return `Sunny in ${city}`;
  }
}

/** One for each request. */
@Injectable({ scope: Scope.REQUEST })
class Visit {
  static made = 0;
  readonly number = ++Visit.made;

  constructor(@Inject(REQUEST) readonly request: Signed | undefined) {}
}

@identifier("weather")
@description("Tells the weather. Use when the user asks about weather.")
class WeatherTool extends Tool {
  @required(String) city!: string;

  constructor(
    private readonly weather: WeatherService,
    private readonly visit: Visit,
  ) {
    super();
  }

  async call({ user }: ToolContext & { readonly user?: string }) {
    // Others come between.
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { told: this.weather.at(this.city), user, visit: this.visit.number, of: this.visit.request?.user };
  }
}

@identifier("secret")
@description("Tells a secret. Use when an administrator asks.")
class SecretTool extends Tool {
  call() {
    return "42";
  }
}

/** What models were told. */
const told: { instructions: string | undefined; tools: string[]; prompts: number }[] = [];

const asksWeather = () =>
  new ScriptedModel([
    ({ messages, tools }) => {
      const prompts = messages.filter(({ role }) => role === "user").length;
      const system = messages.find(({ role }) => role === "system")?.content;
      told.push({ instructions: system as string | undefined, tools: tools.map(({ name }) => name), prompts });
      return { toolCalls: [{ name: "weather", arguments: { city: "Paris" } }] };
    },
    "Take a hat.",
  ]);

const userOf = (context: ApplicationContext) => (context as { readonly user?: string }).user;

@model(asksWeather)
@instructions((context) => `You help ${userOf(context)}.`)
@usesTools((context) => (userOf(context) === "ada" ? [WeatherTool, SecretTool] : [WeatherTool]))
class WeatherAgent extends Agent {
  constructor(readonly visit: Visit) {
    super();
  }
}

/** In a module with the weather, with the user that the guard found as the runs' context. */
const moduleOf = (...controllers: (new (...services: never[]) => unknown)[]) => ({
  imports: [
    ToolwrightModule.forRoot({ toolContext: ({ user }: Signed) => ({ user }) }),
    ToolwrightModule.forFeature({ tools: [WeatherTool], agents: [WeatherAgent] }),
  ],
  providers: [WeatherService, Visit],
  controllers,
});

const as = (user: string) => ({ headers: { "content-type": "application/json", "x-user": user } });

/** What the weather tool returned in the run that a path of the application answers with. */
async function weatherFrom(url: string, user: string): Promise<Record<string, unknown>> {
  const { data } = framesIn(await (await postJson(url, { prompt: "Weather?" }, as(user))).text()).at(-1)!;
  return { text: data.response.text, ...data.response.steps[0].toolCalls[0].data };
}

describe("a controller that injects an agent", () => {
  beforeEach(() => told.splice(0));

  let made = 0;
  let shared: unknown[] = [];

  @Controller("chat")
  @UseGuards(SessionGuard)
  class ChatController {
    constructor(
      private readonly agent: WeatherAgent,
      private readonly visit: Visit,
    ) {
      made += 1;
    }

    @Post()
    chat(@Body("prompt") prompt: string, @Res() response: Response) {
      shared.push(this.visit === this.agent.visit);
      return sendEventStream(this.agent.stream(prompt), response);
    }
  }

  it("streams the events of a run", async () => {
    const url = await start(moduleOf(ChatController));
    const response = await postJson(`${url}/chat`, { prompt: "Weather?" }, as("ada"));
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const events = framesIn(await response.text()).map(({ event }) => event);
    expect(events.filter((event) => !event.endsWith("_delta")).join(" ")).toMatch(/^tool_call_done .*done$/);
  });

  it("has what a guard put on the request: in the resolver of the tools, the instructions and the tools", async () => {
    const url = await start(moduleOf(ChatController));
    expect(await weatherFrom(`${url}/chat`, "ada")).toMatchObject({ text: "Take a hat.", told: "Sunny in Paris", user: "ada", of: "ada" });
    expect(await weatherFrom(`${url}/chat`, "bob")).toMatchObject({ user: "bob" });
    expect(told).toEqual([
      { instructions: "You help ada.", tools: ["weather", "secret"], prompts: 1 },
      { instructions: "You help bob.", tools: ["weather"], prompts: 1 },
    ]);
  });

  it("runs nothing for a request that a guard refuses", async () => {
    const url = await start(moduleOf(ChatController));
    expect((await postJson(`${url}/chat`, { prompt: "Weather?" }, as("mallory"))).status).toBe(403);
    expect(told).toEqual([]);
  });

  it("shares request-scoped services with the agent and its tools, and with no other request at the same time", async () => {
    [made, shared, Visit.made] = [0, [], 0];
    const url = await start(moduleOf(ChatController));
    const users = ["ada", "bob", "carol", "dan"];
    const visits = await Promise.all(users.map((user) => weatherFrom(`${url}/chat`, user)));
    expect(visits.map(({ user, of }) => [user, of])).toEqual(users.map((user) => [user, user]));
    expect(new Set(visits.map(({ visit }) => visit)).size).toBe(4);
    expect(shared).toEqual([true, true, true, true]);
    // One of each for a request, however many ask for it.
    expect([made, Visit.made]).toEqual([4, 4]);
  });

  it("takes global prefixes and versions as any controller", async () => {
    @Controller({ path: "chat", version: "2" })
    @UseGuards(SessionGuard)
    class VersionedController extends ChatController {}

    const url = await start(moduleOf(VersionedController), (application) => {
      application.setGlobalPrefix("api");
      application.enableVersioning({ type: VersioningType.URI });
    });
    expect(await weatherFrom(`${url}/api/v2/chat`, "ada")).toMatchObject({ text: "Take a hat." });
  });
});

describe("a controller that is made once, with an AgentFactory", () => {
  let made = 0;

  @Controller("chat")
  @UseGuards(SessionGuard)
  class ChatController {
    constructor(private readonly agents: AgentFactory) {
      made += 1;
    }

    @Post()
    async chat(@Req() request: Request, @Res() response: Response) {
      const agent = await this.agents.create(WeatherAgent, request);
      await sendEventStream(agent.stream(request.body.prompt), response);
    }
  }

  it("stays one, and each request has a conversation and services of its own", async () => {
    [made, Visit.made] = [0, 0];
    told.splice(0);
    const url = await start(moduleOf(ChatController));
    const users = ["ada", "bob", "carol", "dan"];
    const visits = await Promise.all(users.map((user) => weatherFrom(`${url}/chat`, user)));
    expect(visits.map(({ user, of }) => [user, of])).toEqual(users.map((user) => [user, user]));
    expect(new Set(visits.map(({ visit }) => visit)).size).toBe(4);
    expect(told.map(({ prompts }) => prompts)).toEqual([1, 1, 1, 1]);
    expect([made, Visit.made]).toEqual([1, 4]);
  });

  it("gives two agents of one request the same services", async () => {
    @Controller("chat")
    class TwoAgentsController {
      constructor(private readonly agents: AgentFactory) {}

      @Post()
      async chat(@Req() request: Request) {
        const [first, second] = [await this.agents.create(WeatherAgent, request), await this.agents.create(WeatherAgent, request)];
        return { agents: first === second, visits: first.visit === second.visit };
      }
    }

    const url = await start(moduleOf(TwoAgentsController));
    expect(await (await postJson(`${url}/chat`, {})).json()).toEqual({ agents: false, visits: true });
  });
});

describe("a chat over agentHandler, in Nest", () => {
  @identifier("refund")
  @description("Refunds an order. Use when the user wants the money back.")
  @requiresConfirmation()
  class RefundTool extends Tool {
    @required(String) order!: string;

    constructor(private readonly visit: Visit) {
      super();
    }

    call({ user }: ToolContext & { readonly user?: string }) {
      happened.push(`refunded ${this.order} for ${user}`);
      return `Refunded on visit of ${this.visit.request?.user}.`;
    }
  }

  @identifier("wait")
  @description("Waits for ever. Use never.")
  class WaitTool extends Tool {
    async call({ abortSignal }: ToolContext) {
      happened.push("waiting");
      await new Promise((resolve) => abortSignal.addEventListener("abort", resolve));
      happened.push("aborted");
    }
  }

  @model(
    () =>
      new ScriptedModel([
        ({ messages }) => {
          const tool =
            messages.at(-1)?.content === "Wait" ? { name: "wait", arguments: {} } : { name: "refund", arguments: { order: "A-17" } };
          return messages.at(-1)?.role === "tool" ? "Your money is on its way." : { toolCalls: [tool] };
        },
        "Your money is on its way.",
      ]),
  )
  @usesTools([RefundTool, WaitTool])
  class ShopAgent extends Agent {}

  const signed = (request: globalThis.Request) => nodeRequestOf(request) as unknown as Signed;

  @Controller()
  @UseGuards(SessionGuard)
  class ShopController {
    private readonly pausedRuns = {
      store: new MemoryRunStateStore(),
      authorise: (request: globalThis.Request, state: RunState) => signed(request).user === state.tags?.user,
    };
    private readonly options = {
      agent: (request: globalThis.Request) => this.agents.create(ShopAgent, signed(request)),
      pausedRuns: this.pausedRuns,
      format: "sse" as const,
    };
    private readonly handlers = {
      chat: toNodeHandler(agentHandler({ ...this.options, options: (request) => ({ tags: { user: signed(request).user ?? "" } }) })),
      decide: toNodeHandler(decideHandler(this.options)),
    };

    constructor(private readonly agents: AgentFactory) {}

    @Post(":endpoint")
    async post(@Param("endpoint") endpoint: "chat" | "decide", @Req() request: Request, @Res() response: Response) {
      await this.handlers[endpoint](request, response);
    }
  }

  @Module({
    imports: [
      ToolwrightModule.forRoot({ toolContext: ({ user }: Signed) => ({ user }) }),
      ToolwrightModule.forFeature({ tools: [RefundTool, WaitTool], agents: [ShopAgent] }),
    ],
    providers: [Visit],
    controllers: [ShopController],
  })
  class ShopModule {}

  it("waits for a person, and goes on in the request that brings the decision", async () => {
    const url = await start({ imports: [ShopModule] });
    const asked = framesIn(await (await postJson(`${url}/chat`, { prompt: "Refund A-17" }, as("ada"))).text());
    const { runId, confirmations } = asked.at(-1)!.data.response;
    const decision = { runId, decisions: [approve(confirmations[0])] };
    expect((await postJson(`${url}/decide`, decision, as("bob"))).status).toBe(403);
    const decided = framesIn(await (await postJson(`${url}/decide`, decision, as("ada"))).text());
    expect(decided.at(-1)!.data.response.text).toBe("Your money is on its way.");
    expect(happened).toEqual(["refunded A-17 for ada"]);
  });

  describe("if somebody else than the user decides,", () => {
    type Bag = { readonly user?: string; readonly roles?: readonly string[] };

    @identifier("audit")
    @description("Lists the orders of all users. Use when an administrator asks.")
    @access({ roles: ["admin"] })
    class AuditTool extends Tool {
      call() {
        happened.push("audited");
      }
    }

    @identifier("pay")
    @description("Pays an order back. Use when the user wants the money back.")
    @requiresConfirmation()
    class PayTool extends Tool {
      call({ user, roles = [] }: ToolContext & Bag) {
        happened.push(`paid for ${user}, roles: ${roles.join()}`);
      }
    }

    const FourEyesAgent = scriptedAgent(
      [PayTool, AuditTool],
      [({ messages }) => ({ toolCalls: [{ name: messages.at(-1)?.role === "tool" ? "audit" : "pay", arguments: {} }] }), "Done."],
    );

    /** Ada's run, which root approves. `context`: that of the decide endpoint. */
    async function approvedByRoot(context?: (state: RunState | undefined) => Bag | undefined): Promise<void> {
      const store = new MemoryRunStateStore();

      @Controller()
      @UseGuards(SessionGuard)
      class PayController {
        private readonly shared = {
          agent: (request: globalThis.Request) => this.agents.create(FourEyesAgent, signed(request)),
          pausedRuns: { store, authorise: (request: globalThis.Request) => signed(request).user === "root" },
          format: "json" as const,
        };
        private readonly handlers = {
          chat: agentHandler({ ...this.shared, options: (request) => ({ tags: { user: signed(request).user ?? "" } }) }),
          decide: decideHandler({
            ...this.shared,
            ...(context && { context: (_request, _body, state) => context(state) }),
          }),
        };

        constructor(private readonly agents: AgentFactory) {}

        @Post(":endpoint")
        async post(@Param("endpoint") endpoint: "chat" | "decide", @Req() request: Request, @Res() response: Response) {
          await toNodeHandler(this.handlers[endpoint])(request, response);
        }
      }

      const url = await start({
        imports: [
          ToolwrightModule.forRoot({ toolContext: ({ user }: Signed) => ({ user, roles: user === "root" ? ["admin"] : [] }) }),
          ToolwrightModule.forFeature({ agents: [FourEyesAgent] }),
        ],
        controllers: [PayController],
      });
      const { runId, confirmations } = (await (await postJson(`${url}/chat`, { prompt: "Pay" }, as("ada"))).json()) as any;
      await (await postJson(`${url}/decide`, { runId, decisions: [approve(confirmations[0])] }, as("root"))).text();
    }

    it("the context that the endpoint gives is the run's, and nothing of who decided comes into it", async () => {
      await approvedByRoot((state) => ({ user: state?.tags?.user ?? "" }));
      expect(happened).toEqual(["paid for ada, roles: "]);
    });

    it("the run has no user and no roles if the endpoint doesn't find the user", async () => {
      await approvedByRoot(() => undefined);
      expect(happened).toEqual(["paid for undefined, roles: "]);
    });

    it("the run has forRoot's context of who sent the request, if the endpoint gives none", async () => {
      await approvedByRoot();
      expect(happened).toEqual(["paid for root, roles: admin", "audited"]);
    });
  });

  it("aborts the run of generate when the browser leaves, if it is given the signal of the response", async () => {
    @Controller()
    class AnswerController {
      constructor(private readonly agents: AgentFactory) {}

      @Post("answer")
      async answer(@Body("prompt") prompt: string, @Req() request: Request, @Res({ passthrough: true }) response: Response) {
        const left = new AbortController();
        response.on("close", () => left.abort());
        const agent = await this.agents.create(ShopAgent, request);
        return { reason: (await agent.generate(prompt, { abortSignal: left.signal })).reason };
      }
    }

    const url = await start({
      imports: [ToolwrightModule.forFeature({ agents: [ShopAgent] })],
      providers: [Visit],
      controllers: [AnswerController],
    });
    expect(await (await postJson(`${url}/answer`, { prompt: "Refund A-17" })).json()).toEqual({ reason: "awaiting_confirmation" });
    const controller = new AbortController();
    const answered = postJson(`${url}/answer`, { prompt: "Wait" }, { signal: controller.signal }).catch(() => undefined);
    await until(() => happened.includes("waiting"));
    controller.abort();
    await answered;
    await until(() => happened.includes("aborted"));
  });

  it("aborts the run when the browser leaves: the tool sees its signal", async () => {
    const url = await start({ imports: [ShopModule] });
    const controller = new AbortController();
    const response = await postJson(`${url}/chat`, { prompt: "Wait" }, { ...as("ada"), signal: controller.signal });
    await until(() => happened.includes("waiting"));
    controller.abort();
    await response.text().catch(() => undefined);
    await until(() => happened.includes("aborted"));
  });
});
