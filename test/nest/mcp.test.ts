import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { All, Controller, Inject, Injectable, type OnModuleDestroy, type OnModuleInit, Req, Res, Scope, type Type } from "@nestjs/common";
import { REQUEST } from "@nestjs/core";
import { type McpHandler, mcpHandler } from "../../src/mcp/index.js";
// biome-ignore lint/style/useImportType: the compiler emits what constructors take
import { ToolContainer, ToolwrightModule } from "../../src/nest/index.js";
import { type NodeHandler, type NodeRequest, toNodeHandler } from "../../src/web/index.js";
import { description, identifier, optional, required, Tool } from "../../src/tool/index.js";
import { clientOf, closeAll, textOf } from "../mcp/server/support.js";
import { closeApplications, start } from "./support.js";

afterEach(closeAll);
afterEach(closeApplications);

const revisions = ["2026-07-28", "2025-11-25"] as const;
type Revision = (typeof revisions)[number];

@Injectable()
class WeatherService {
  at(city: string): string {
    return `Sunny in ${city}.`;
  }
}

@identifier("weather")
@description("Tells the weather. Use when the user asks about weather.")
class WeatherTool extends Tool {
  @required(String) city!: string;

  constructor(private readonly weather: WeatherService) {
    super();
  }

  call() {
    return this.weather.at(this.city);
  }
}

/** What a guard found out about the request. */
@Injectable({ scope: Scope.REQUEST })
class CurrentUser {
  static made = 0;
  readonly name: string;

  constructor(@Inject(REQUEST) request: { readonly headers: Record<string, string | undefined> } | undefined) {
    CurrentUser.made += 1;
    this.name = request?.headers["x-user"] ?? "nobody";
  }
}

@identifier("whoami")
@description("Tells who the user is.")
class WhoAmITool extends Tool {
  @optional(Number, { default: 0 }) pause!: number;

  constructor(private readonly user: CurrentUser) {
    super();
  }

  async call() {
    await new Promise((resolve) => setTimeout(resolve, this.pause));
    return this.user.name;
  }
}

describe("an MCP server in a Nest controller", () => {
  @Controller("mcp")
  class McpController implements OnModuleInit, OnModuleDestroy {
    private mcp!: McpHandler;
    private handle!: NodeHandler;

    constructor(private readonly container: ToolContainer) {}

    async onModuleInit() {
      const { container } = this;
      this.mcp = await mcpHandler({ name: "weather", version: "1.0.0", tools: [WeatherTool, WhoAmITool], container });
      this.handle = toNodeHandler(this.mcp);
    }

    onModuleDestroy() {
      return this.mcp.close();
    }

    @All()
    serve(@Req() request: NodeRequest, @Res() response: Parameters<NodeHandler>[1]) {
      return this.container.withRequest(request, () => this.handle(request, response));
    }
  }

  const serve = (controller: Type = McpController) =>
    start({
      imports: [ToolwrightModule.forFeature({ tools: [WeatherTool, WhoAmITool] })],
      providers: [WeatherService, CurrentUser],
      controllers: [controller],
    });

  async function connect(url: string, revision: Revision, user: string): Promise<Client> {
    const client = clientOf(revision);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { "x-user": user } } }));
    return client;
  }

  it.each(revisions)("calls tools with Nest's services, in revision %s", async (revision) => {
    const client = await connect(await serve(), revision, "ada");
    expect(textOf(await client.callTool({ name: "weather", arguments: { city: "Paris" } }))).toBe("Sunny in Paris.");
    expect(textOf(await client.callTool({ name: "weather", arguments: {} }))).toContain("city is required");
  });

  it.each(revisions)("gives tools the services with request scope of their own request, in revision %s", async (revision) => {
    const url = await serve();
    const [ada, bob] = await Promise.all([connect(url, revision, "ada"), connect(url, revision, "bob")]);
    const [ofAda, ofBob] = await Promise.all([
      ada.callTool({ name: "whoami", arguments: { pause: 50 } }),
      bob.callTool({ name: "whoami", arguments: { pause: 10 } }),
    ]);
    expect([textOf(ofAda), textOf(ofBob)]).toEqual(["ada", "bob"]);
  });

  it("shares them with a controller that has request scope itself", async () => {
    @Controller("mcp")
    class ScopedController {
      constructor(
        private readonly container: ToolContainer,
        private readonly user: CurrentUser,
      ) {}

      @All()
      async serve(@Req() request: NodeRequest, @Res() response: Parameters<NodeHandler>[1]) {
        const { container, user } = this;
        const mcp = await mcpHandler({ name: user.name, version: "1.0.0", tools: [WhoAmITool], container });
        return container.withRequest(request, () => toNodeHandler(mcp)(request, response));
      }
    }

    const client = await connect(await serve(ScopedController), "2026-07-28", "ada");
    const before = CurrentUser.made;
    expect(textOf(await client.callTool({ name: "whoami", arguments: {} }))).toBe("ada");
    expect(CurrentUser.made - before).toBe(1);
  });
});
