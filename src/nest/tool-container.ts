import type { Container } from "../execution/index.js";

/**
 * Makes the tools of a module for what isn't an agent: an MCP server, an executor of your own, a framework's adapter. A module
 * that imports `ToolwrightModule.forFeature(...)` can inject it.
 *
 * ```ts
 * @Controller("mcp")
 * class McpController implements OnModuleInit {
 *   private handle!: NodeHandler;
 *
 *   constructor(private readonly container: ToolContainer) {}
 *
 *   async onModuleInit() {
 *     const { container } = this;
 *     this.handle = toNodeHandler(await mcpHandler({ name: "weather", version: "1.0.0", tools: [WeatherTool], container }));
 *   }
 *
 *   @All()
 *   serve(@Req() request: Request, @Res() response: Response) {
 *     return this.container.withRequest(request, () => this.handle(request, response));
 *   }
 * }
 * ```
 */
export abstract class ToolContainer implements Container {
  // As in `Container`: the container is given to whatever takes one.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  abstract get(type: any): any;

  /**
   * Does `work`, and makes the tools of all calls that it leads to with the services of this request: those with request scope
   * are shared with its controller, and `REQUEST` is the request. For other calls they are made for each, and `REQUEST` is
   * undefined.
   */
  abstract withRequest<Result>(request: object, work: () => Result): Result;
}
