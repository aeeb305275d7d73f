import { ToolDefinitionError } from "../tool/index.js";
import { type ClassDecoratorFor, classDecorator, nameOf } from "../tool/internal.js";
import type { HttpOptions } from "./http-options.js";
import { HttpTool } from "./http-tool.js";

/** A decorator for classes that extend `HttpTool`. */
export type HttpToolDecorator = ClassDecoratorFor<HttpToolClass, "@http is for a class that extends HttpTool">;

// biome-ignore lint/suspicious/noExplicitAny: constructor parameters are services, of any type
type HttpToolClass = abstract new (...services: any[]) => HttpTool;

/**
 * Says what an `HttpTool` asks. Placeholders of the path come first; then what `query` and `body` name; the rest goes into
 * the query, of POST, PUT and PATCH into a JSON body. Lists in a query become one pair for each item; dates are ISO 8601;
 * what is absent or null isn't sent.
 *
 * Tools of one service share a base class, whose options their own complete:
 *
 * ```ts
 * @http({ baseUrl: "https://api.example.com/v1", headers: { authorization: bearer(secret("ORDERS_TOKEN")) } })
 * abstract class OrdersTool extends HttpTool {}
 *
 * @description("Cancels an order. Use when the user wants an order cancelled.")
 * @http({ method: "POST", url: "/orders/{orderNumber}/cancellation" })
 * class CancelOrderTool extends OrdersTool {
 *   @required(String) orderNumber!: string;
 *   @optional(String, "Why, in the user's words") reason?: string;
 * }
 * ```
 *
 * The method gives the category (GET and HEAD "read", DELETE "delete", others "write") and the effect, unless `@category`
 * or `@effect` says otherwise. Mistakes are `ToolDefinitionError`s when the definition is read.
 */
export function http(options: HttpOptions): HttpToolDecorator {
  const write = classDecorator("http", { http: [options] });
  return (target: unknown, context?: unknown) => {
    // The compiler takes a tool whose own `call` has the same form for an HTTP tool.
    if (typeof target === "function" && !(target.prototype instanceof HttpTool)) {
      throw new ToolDefinitionError(`${nameOf(target)}: @http is for a class that extends HttpTool. Extend it, and leave call out.`);
    }
    write(target, context);
  };
}
