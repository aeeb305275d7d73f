import type { Container } from "../execution/index.js";

/**
 * Creates the tools of a module for MCP servers, executors and adapters:
 * `mcpHandler({ name, version, tools: [WeatherTool], container })`.
 *
 * Inject it in modules that import `ToolwrightModule.forFeature(...)`. Serve each request with
 * `container.withRequest(request, () => handle(request, response))`. See docs/13-other-frameworks.md.
 */
export abstract class ToolContainer implements Container {
  /** Creates an instance of a tool class. */
  // As in `Container`: the container is given to whatever takes one.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  abstract get(type: any): any;

  /**
   * Runs `work`, and gives the tools of all calls in it the services of this request. They share its request-scoped services, and
   * `REQUEST` is the request.
   *
   * In other calls, each call has its own request-scoped services, and `REQUEST` is undefined.
   */
  abstract withRequest<Result>(request: object, work: () => Result): Result;
}
