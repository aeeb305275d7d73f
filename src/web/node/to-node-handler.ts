import type { ServerResponse } from "node:http";
import { loggedError, warnProcess } from "../../redaction/internal.js";
import { problemResponse } from "../handlers/problem-response.js";
import { WebRequestError } from "../web-request-error.js";
import { type NodeRequest, webRequestOf } from "./node-request.js";
import { sendResponse } from "./send-response.js";

/** Answers a request of the web. */
export type WebHandler = (request: Request) => Response | Promise<Response>;

/** Answers a request of Node; resolves when the response has ended, and never rejects. */
export type NodeHandler = (request: NodeRequest, response: ServerResponse) => Promise<void>;

/**
 * A handler for `node:http`, for Express and for a Nest controller, with or without a body parser before it.
 *
 * ```ts
 * createServer(toNodeHandler(chat));
 * app.post("/chat", toNodeHandler(chat)); // Express
 * @Post() chat(@Req() request: Request, @Res() response: Response) { return toNodeHandler(chat)(request, response); } // Nest
 * ```
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
