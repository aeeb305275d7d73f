import type { ServerResponse } from "node:http";
import { loggedError, warnProcess } from "../../redaction/internal.js";
import { problemResponse } from "../handlers/problem-response.js";
import { WebRequestError } from "../web-request-error.js";
import { type NodeRequest, webRequestOf } from "./node-request.js";
import { sendResponse } from "./send-response.js";

/** A handler of web requests: a function from `Request` to `Response`. */
export type WebHandler = (request: Request) => Response | Promise<Response>;

/** A handler for `node:http`, Express and Nest. Resolves when the response has ended, and never rejects. */
export type NodeHandler = (request: NodeRequest, response: ServerResponse) => Promise<void>;

/**
 * Converts a web handler for `node:http`, Express or a Nest controller, with or without a body parser before it.
 *
 * ```ts
 * createServer(toNodeHandler(chat));
 * app.post("/chat", toNodeHandler(chat)); // Express
 * ```
 *
 * In a Nest controller: `return toNodeHandler(chat)(request, response)` in a method with `@Req()` and `@Res()`. See
 * docs/14-web-applications.md.
 */
export function toNodeHandler(handler: WebHandler): NodeHandler {
  return async (request, response) => {
    await sendResponse(await answerOf(handler, request, response), response);
    // What was not read of the request would hold the connection.
    request.resume();
  };
}

async function answerOf(handler: WebHandler, request: NodeRequest, response: ServerResponse): Promise<Response> {
  let converted: Request;
  try {
    converted = webRequestOf(request, response);
  } catch {
    return problemResponse(new WebRequestError(400, "The request has a host, a path, a method or a header that the web doesn't know."));
  }
  try {
    return await handler(converted);
  } catch (error) {
    warnProcess(`A handler given to toNodeHandler threw: ${loggedError(error)}`);
    return problemResponse(error);
  }
}
