import type { ToolMiddleware } from "../../execution/index.js";
import { type AgentClassDecorator, agentListDecorator } from "./agent-class-decorator.js";

/**
 * Wraps each tool call of the agent: to cache results, to run the tool elsewhere, or to change results.
 *
 * `@usesMiddleware(async (call, next) => cache.get(call) ?? (await next())) class SupportAgent extends Agent {}`
 *
 * The first decorator is the outermost; those of the base class come before it. Middleware in the options of `generate` is inside
 * of them. A call that needs approval reaches the middleware after a person approved it. See docs/15-middleware.md.
 */
export const usesMiddleware = (middleware: ToolMiddleware): AgentClassDecorator => agentListDecorator("usesMiddleware", middleware);
