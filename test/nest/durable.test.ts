import { Controller, Inject, Injectable, Post, Req, Scope } from "@nestjs/common";
import { type ContextId, ContextIdFactory, type HostComponentInfo, REQUEST } from "@nestjs/core";
import type { Request } from "express";
import type { Agent } from "../../src/agent/index.js";
// biome-ignore lint/style/useImportType: the compiler emits what constructors take
import { AgentFactory, ToolwrightModule } from "../../src/nest/index.js";
import { description, identifier, Tool } from "../../src/tool/index.js";
import { postJson } from "../web/support.js";
import { agentThatCalls, closeApplications, start } from "./support.js";

afterEach(closeApplications);

/** One tree of durable services for each tenant, as Nest's documentation has it. */
class TenantStrategy {
  readonly #trees = new Map<string, ContextId>();

  attach(contextId: ContextId, request: Request) {
    const tenant = request.header("x-tenant") ?? "none";
    const tree = this.#trees.get(tenant) ?? ContextIdFactory.create();
    this.#trees.set(tenant, tree);
    return { resolve: ({ isTreeDurable }: HostComponentInfo) => (isTreeDurable ? tree : contextId), payload: { tenant } };
  }
}

@Injectable({ scope: Scope.REQUEST, durable: true })
class Tenant {
  static made = 0;
  readonly number = ++Tenant.made;

  constructor(@Inject(REQUEST) readonly of: { readonly tenant: string }) {}
}

@identifier("tenant")
@description("Tells the tenant.")
class TenantTool extends Tool {
  constructor(private readonly tenant: Tenant) {
    super();
  }

  call() {
    return `${this.tenant.of.tenant} ${this.tenant.number}`;
  }
}

class TenantAgent extends agentThatCalls(TenantTool) {}

const resultOf = async (agent: Agent): Promise<unknown> => (await agent.generate("Go")).steps[0]?.toolCalls[0]?.data;

describe("durable services", () => {
  beforeAll(() => ContextIdFactory.apply(new TenantStrategy()));
  // Nest has no word for taking a strategy away.
  afterAll(() => ContextIdFactory.apply(undefined as never));

  @Controller("injected")
  class InjectedController {
    constructor(private readonly agent: TenantAgent) {}

    @Post()
    tell() {
      return resultOf(this.agent);
    }
  }

  @Controller("made")
  class FactoryController {
    constructor(private readonly agents: AgentFactory) {}

    @Post()
    async tell(@Req() request: Request) {
      return resultOf(await this.agents.create(TenantAgent, request));
    }
  }

  it("are those of the tenant, in all of its requests", async () => {
    const url = await start({
      imports: [ToolwrightModule.forFeature({ agents: [TenantAgent] })],
      providers: [Tenant],
      controllers: [InjectedController, FactoryController],
    });
    const told: string[] = [];
    for (const path of ["injected", "made", "injected"]) {
      for (const tenant of ["acme", "zeta"]) {
        told.push(await (await postJson(`${url}/${path}`, {}, { headers: { "x-tenant": tenant } })).text());
      }
    }
    expect(told).toEqual(["acme 1", "zeta 2", "acme 1", "zeta 2", "acme 1", "zeta 2"]);
  });
});
