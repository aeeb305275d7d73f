import type { ToolMiddleware } from "../../execution/index.js";
import { type AgentClassDecorator, agentListDecorator } from "./agent-class-decorator.js";

/**
 * Wraps each tool call of the agent, as `executor.use` does: to answer from a cache, to run the tool elsewhere, to change
 * results. The first decorator is the outermost, those of the base class come before; the option `middleware` of `generate`
 * is inside of them. A call that needs a person's approval reaches the middleware after it was approved.
 *
 * ```ts
 * @usesMiddleware(async (call, next) => cache.get(call) ?? (await next()))
 * class SupportAgent extends Agent {}
 * ```
 */
export const usesMiddleware = (middleware: ToolMiddleware): AgentClassDecorator => agentListDecorator("usesMiddleware", middleware);
