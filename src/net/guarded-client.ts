// `request` is read at each call: a mock of HTTP replaces it on the module, which a named import would not see.
import http, { Agent, type IncomingMessage } from "node:http";
import https, { Agent as SecureAgent } from "node:https";
import { readBody } from "./body.js";
import { type CheckedUrl, checkUrl, shown } from "./check-url.js";
import { essenceOf, isOfType, textTypes } from "./content-type.js";
import { Deadline } from "./deadline.js";
import { type GuardedRequest, harmlessHeaders, readHeaders } from "./guarded-request.js";
import { GuardedResponse } from "./guarded-response.js";
import { AllowedHosts } from "./hosts.js";
import { NetworkError } from "./network-error.js";
import { guardedLookup, type Resolve, resolveBySystem } from "./resolve.js";

/** What an application allows its client. */
export interface GuardedClientOptions {
  /**
   * Private hosts that are allowed, by name or address, with a port to allow only that one: `["localhost:3000"]`.
   * Redirects to them are allowed too. The credential addresses of clouds stay forbidden.
   */
  readonly allowedHosts?: readonly string[];
  /** Resolves names otherwise than the system does. What it gives is checked all the same. */
  readonly resolve?: Resolve;
}

/** Milliseconds. */
const defaultTimeout = 10_000;
const defaultMaxBytes = 5 * 1_024 * 1_024;
const defaultMaxRedirects = 10;

/** How long a connection without a request stays open, in milliseconds. */
const idleTime = 5_000;

/** One request of the chain that redirects make. */
interface Hop extends CheckedUrl {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/**
 * An HTTP client for addresses that a model, a page or a redirect chose. It refuses other schemes than http and https, credentials in URLs,
 * ports of other protocols, and private hosts. It checks a host by its name, its address and its resolved addresses, again at each
 * redirect, and connects to exactly the address that it checked. What it reads is limited in bytes, time
 * and type.
 *
 * ```ts
 * const client = new GuardedClient();
 * const page = await client.fetch("https://example.com/");
 * console.log(page.status, page.text());
 * await client.fetch("http://192.168.0.1/"); // NetworkError: ... it leads to a private address ...
 * ```
 *
 * It uses no proxy: a proxy resolves names itself, past every check. Connections are kept and used again; they belong to one
 * client, because another may allow other hosts.
 */
export class GuardedClient {
  readonly #allowedHosts: AllowedHosts;
  readonly #resolve: Resolve;
  readonly #agent = new Agent({ keepAlive: true, timeout: idleTime });
  readonly #secureAgent = new SecureAgent({ keepAlive: true, timeout: idleTime });

  constructor(options: GuardedClientOptions = {}) {
    this.#allowedHosts = new AllowedHosts(options.allowedHosts ?? []);
    this.#resolve = options.resolve ?? resolveBySystem;
  }

  /**
   * Makes one exchange and reads the answer whole, whatever its status. Headers go no further than the origin that they
   * were written for, but for `accept`, `accept-language` and `user-agent`; a body isn't sent on to another origin at all.
   *
   * Throws `NetworkError`, or the reason of `abortSignal`.
   */
  async fetch(url: string, request: GuardedRequest = {}): Promise<GuardedResponse> {
    request.abortSignal?.throwIfAborted();
    const { url: checked, allowed } = checkUrl(url, this.#allowedHosts);
    const { method = "GET", headers = {}, body } = request;
    const first: Hop = { url: checked, allowed, method, headers: readHeaders(headers), body };
    const deadline = new Deadline(request.timeout ?? defaultTimeout, shown(checked), request.abortSignal);
    try {
      return await this.#follow(first, request, deadline);
    } catch (error) {
      throw deadline.ended === undefined ? error : deadline.ended.reason;
    } finally {
      deadline.clear();
    }
  }

  async #follow(first: Hop, request: GuardedRequest, deadline: Deadline): Promise<GuardedResponse> {
    const maxRedirects = request.maxRedirects ?? defaultMaxRedirects;
    let hop = first;
    for (let redirects = 0; ; redirects++) {
      const message = await this.#open(hop, deadline);
      const location = redirectOf(message);
      if (location === undefined) return readResponse(hop, message, request);
      message.destroy();
      if (redirects >= maxRedirects) {
        throw new NetworkError("redirects", `${shown(first.url)} redirected more than ${maxRedirects} times, perhaps in a circle.`);
      }
      hop = nextHop(hop, message.statusCode ?? 0, checkUrl(location, this.#allowedHosts, hop.url));
    }
  }

  #open(hop: Hop, deadline: Deadline): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { url, method, headers, body } = hop;
      const secure = url.protocol === "https:";
      const request = (secure ? https : http).request(url, {
        method,
        agent: secure ? this.#secureAgent : this.#agent,
        lookup: guardedLookup(hop, this.#resolve),
        headers: body === undefined ? headers : Object.assign({ "content-length": Buffer.byteLength(body) }, headers),
      });
      deadline.holdsFor(request);
      request.on("response", resolve);
      // Without a listener the request would end without a word.
      request.on("upgrade", (_, socket) => {
        socket.destroy();
        reject(new NetworkError("connection", `${shown(url)} switched to another protocol, which wasn't asked for. Use another URL.`));
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The server closed a kept connection just then: it has seen nothing of this request.
        const closedBefore = request.reusedSocket && error.code === "ECONNRESET" && (method === "GET" || method === "HEAD");
        if (closedBefore && deadline.ended === undefined) this.#open(hop, deadline).then(resolve, reject);
        else reject(error instanceof NetworkError ? error : unreachable(url, error));
      });
      request.end(body);
    });
  }
}

const redirectStatuses: readonly (number | undefined)[] = [301, 302, 303, 307, 308];

const redirectOf = ({ statusCode, headers }: IncomingMessage): string | undefined =>
  redirectStatuses.includes(statusCode) && headers.location ? readLocation(headers.location) : undefined;

/** Fetch standard, "HTTP-redirect fetch", and stricter: whatever might be a secret stays with its origin. */
function nextHop(hop: Hop, status: number, next: CheckedUrl): Hop {
  const { method, body, headers } = hop;
  const otherOrigin = next.url.origin !== hop.url.origin;
  const becomesGet = status === 303 ? method !== "HEAD" : (status === 301 || status === 302) && method === "POST";
  if (otherOrigin && body !== undefined && !becomesGet) {
    throw new NetworkError("redirects", `${shown(hop.url)} redirects to ${shown(next.url)}, to which what was to be sent isn't passed on.`);
  }
  const kept = otherOrigin ? harmlessHeaders(headers) : headers;
  return becomesGet ? { ...next, method: "GET", body: undefined, headers: withoutContent(kept) } : { ...next, method, body, headers: kept };
}

/** Fetch standard, "request-body-header name"; the length is written for each request. */
const aboutBody: ReadonlySet<string> = new Set(["content-encoding", "content-language", "content-location", "content-type"]);

const withoutContent = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !aboutBody.has(name)));

async function readResponse(hop: Hop, message: IncomingMessage, request: GuardedRequest): Promise<GuardedResponse> {
  const { statusCode: status = 0, headers } = message;
  const host = shown(hop.url);
  const respond = (body: Uint8Array): GuardedResponse => new GuardedResponse(hop.url.href, status, headers, body);
  const isEmpty = hop.method === "HEAD" || status === 204 || status === 205 || status === 304 || headers["content-length"] === "0";
  const refusal = isEmpty ? undefined : refusalOf(message, request.contentTypes ?? textTypes, host);
  if (refusal === undefined) {
    return respond(await readBody(message, !isEmpty && isGzip(message), request.maxBytes ?? defaultMaxBytes, host));
  }
  message.destroy();
  // The status of a failure says more than the type of its body.
  if (status < 200 || status > 299) return respond(new Uint8Array());
  throw refusal;
}

const isGzip = ({ headers }: IncomingMessage): boolean => /^(x-)?gzip$/i.test(headers["content-encoding"] ?? "");

/** Only gzip was asked for: other packings unpack too much at once to be stopped at a cap. */
function refusalOf(message: IncomingMessage, contentTypes: readonly string[], host: string): NetworkError | undefined {
  const { "content-type": type, "content-encoding": encoding = "identity" } = message.headers;
  const essence = essenceOf(type);
  if (!isOfType(essence, contentTypes)) {
    const said = essence === "" ? "without saying its type" : `with ${/^[\w.+/-]{1,100}$/.test(essence) ? essence : "an odd type"}`;
    return new NetworkError("content_type", `${host} answered ${said}, but only ${contentTypes.join(", ")} can be read.`);
  }
  if (encoding.toLowerCase() === "identity" || isGzip(message)) return undefined;
  return new NetworkError("content_encoding", `${host} answered in a packing that wasn't asked for: gzip alone can be read.`);
}

/** Node's own error may hold what was received; its code says enough. */
function unreachable(url: URL, { code, message }: NodeJS.ErrnoException): NetworkError {
  const reason = code === "ECONNREFUSED" ? "no server listens there" : (code ?? message);
  return new NetworkError("connection", `${shown(url)} can't be reached: ${reason}. Check the URL, or try again later.`);
}

/** Node reads headers as Latin-1; servers that don't escape their addresses write UTF-8, or Latin-1. */
function readLocation(header: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(header, "latin1"));
  } catch {
    return header;
  }
}
