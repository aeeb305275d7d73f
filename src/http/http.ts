import { ToolDefinitionError } from "../tool/index.js";
import { type ClassDecoratorFor, classDecorator, nameOf } from "../tool/internal.js";
import type { HttpOptions } from "./http-options.js";
import { HttpTool } from "./http-tool.js";

/** A decorator for classes that extend `HttpTool`. */
export type HttpToolDecorator = ClassDecoratorFor<HttpToolClass, "@http is for a class that extends HttpTool">;

// biome-ignore lint/suspicious/noExplicitAny: constructor parameters are services, of any type
type HttpToolClass = abstract new (...services: any[]) => HttpTool;

/**
 * Describes the request of an `HttpTool`.
 *
 * - one tool: `@http({ method: "POST", url: "https://api.example.com/orders/{orderNumber}/cancellation" })`
 * - a base class for several tools:
 *   `@http({ baseUrl: "https://api.example.com/v1", headers: { authorization: bearer(secret("ORDERS_TOKEN")) } })`
 *
 * Parameters go to the placeholders of the path first, then to `query` and `body`. The others go to the query, or for POST, PUT and
 * PATCH to a JSON body. A list in a query becomes one pair per item; dates are ISO 8601; absent and null values aren't sent.
 *
 * The method sets the category (GET and HEAD `"read"`, DELETE `"delete"`, others `"write"`) and the effect, unless `@category` or
 * `@effect` does. Throws `ToolDefinitionError` for invalid options when the definition is read. See docs/08-http-tools.md.
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
