import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { All, Controller, Injectable, type OnModuleDestroy, type OnModuleInit, Req, Res } from "@nestjs/common";
import { type McpHandler, mcpHandler } from "../../../src/interop/mcp/index.js";
// biome-ignore lint/style/useImportType: the compiler emits what constructors take
import { ToolContainer, ToolwrightModule } from "../../../src/interop/nest/index.js";
import { type NodeHandler, type NodeRequest, toNodeHandler } from "../../../src/interop/web/index.js";
import { description, identifier, required, Tool } from "../../../src/tool/index.js";
import { clientOf, closeAll, textOf } from "../mcp/server/support.js";
import { closeApplications, start } from "./support.js";

afterEach(closeAll);
afterEach(closeApplications);

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

describe("an MCP server in a Nest controller", () => {
  @Controller("mcp")
  class McpController implements OnModuleInit, OnModuleDestroy {
    private mcp!: McpHandler;
    private handle!: NodeHandler;

    constructor(private readonly container: ToolContainer) {}

    async onModuleInit() {
      const { container } = this;
      this.mcp = await mcpHandler({ name: "weather", version: "1.0.0", tools: [WeatherTool], container });
      this.handle = toNodeHandler(this.mcp);
    }

    onModuleDestroy() {
      return this.mcp.close();
    }

    @All()
    serve(@Req() request: NodeRequest, @Res() response: Parameters<NodeHandler>[1]) {
      return this.handle(request, response);
    }
  }

  it.each(["2026-07-28", "2025-11-25"] as const)("calls tools with Nest's services, in revision %s", async (revision) => {
    const url = await start({
      imports: [ToolwrightModule.forFeature({ tools: [WeatherTool] })],
      providers: [WeatherService],
      controllers: [McpController],
    });
    const client = clientOf(revision);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    expect(textOf(await client.callTool({ name: "weather", arguments: { city: "Paris" } }))).toBe("Sunny in Paris.");
    expect(textOf(await client.callTool({ name: "weather", arguments: {} }))).toContain("city is required");
  });
});
