import type { IncomingMessage, ServerResponse } from "node:http";

/** A request of `node:http`, with the members that Express and Nest add. */
export interface NodeRequest extends IncomingMessage {
  /** The body, if a parser (`express.json()`, Nest's own) read it. */
  readonly body?: unknown;
  /** The whole path, before a router removed a part of it. */
  readonly originalUrl?: string;
}

const nodeRequests = new WeakMap<Request, NodeRequest>();

/**
 * Returns the request of Node, Express or Nest that `toNodeHandler` made a web request from, to read what middleware added (`user`,
 * `session`).
 *
 * ```ts
 * const context = (request: Request) => ({ userId: (nodeRequestOf(request) as { user?: User } | undefined)?.user?.id });
 * ```
 *
 * Returns `undefined` for other requests. See docs/14-web-applications.md.
 */
export const nodeRequestOf = (request: Request): NodeRequest | undefined => nodeRequests.get(request);

/** The web's form of a request of Node; its signal is aborted when the client leaves before the response has ended. */
export function webRequestOf(request: NodeRequest, response: ServerResponse): Request {
  const controller = new AbortController();
  const leave = (): void => {
    if (!response.writableFinished) controller.abort(new Error("The client left."));
  };
  // What stood before the handler may have taken its time.
  if (response.destroyed) leave();
  else response.once("close", leave);
  const { method = "GET" } = request;
  const hasBody = method !== "GET" && method !== "HEAD";
  const converted = new Request(urlOf(request), {
    method,
    headers: headersOf(request),
    signal: controller.signal,
    ...(hasBody && { body: bodyOf(request), duplex: "half" as const }),
  });
  nodeRequests.set(converted, request);
  return converted;
}

function urlOf({ headers, socket, originalUrl, url = "/" }: NodeRequest): string {
  const scheme = "encrypted" in socket ? "https" : "http";
  const path = originalUrl ?? url;
  // A path may begin with two slashes, and then name another host if it were resolved.
  return path.startsWith("/") ? `${scheme}://${headers.host ?? "localhost"}${path}` : path;
}

function headersOf({ rawHeaders }: NodeRequest): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    // HTTP/2 has the request line among them.
    if (!name.startsWith(":")) headers.append(name, value);
  }
  return headers;
}

/** The body as it comes; if a parser has read it already, what the parser made, written again. */
function bodyOf(request: NodeRequest): ReadableStream<Uint8Array> | string | Uint8Array {
  const { body } = request;
  if (body === undefined || !request.readableEnded) return unreadBody(request);
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  const isForm = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
  return isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body);
}

/** A reader that stops doesn't close the connection: the response uses it. */
function unreadBody(request: NodeRequest): ReadableStream<Uint8Array> {
  const chunks = request.iterator({ destroyOnReturn: false });
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}
