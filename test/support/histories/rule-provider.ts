import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { type Reply, replyOn } from "./replies.js";
import { historyFaults, type Wire } from "./rules.js";

const answer: Reply = { text: "Done.", calls: [] };

/**
 * All providers, as the `fetch` of their packages or as one local server: the first part of a path names the wire. A request that breaks
 * a provider's rules gets a 400 and is kept; any other gets the next reply, or a plain answer when there is none left.
 */
export class RuleProvider {
  /** What was rejected, with the request. */
  readonly rejected: string[] = [];
  /** What was asked for, by wire: evidence that requests arrived. */
  readonly counts = new Map<Wire, number>();
  /** The next replies, made when they are sent: calls have the ids of the wire that is asked. */
  readonly replies: ((wire: Wire) => Reply)[] = [];
  /** The next requests fail with 500, as many as this. */
  failures = 0;

  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const [status, body] = this.#respond(new URL(request.url).pathname, (await request.json()) as object);
    return Response.json(body, { status });
  };

  readonly #server = createServer(async (request, response) => {
    try {
      const [status, body] = this.#respond(request.url ?? "", (await json(request)) as object);
      const text = Buffer.from(JSON.stringify(body));
      response.writeHead(status, { "content-type": "application/json", "content-length": text.length }).end(text);
    } catch {
      // The client left before its request had arrived.
      response.destroy();
    }
  });

  /** Starts the server. Returns its address. */
  async listen(): Promise<string> {
    // By default, the server closes a connection that was idle for five seconds, at times when the client is about to use it again.
    this.#server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #respond(path: string, body: object): [status: number, body: object] {
    const wire = path.split("/")[1] as Wire;
    const form = path.endsWith("/responses") ? "openai-responses" : wire;
    this.counts.set(wire, (this.counts.get(wire) ?? 0) + 1);
    const faults = historyFaults(wire, body);
    if (faults.length > 0) {
      this.rejected.push(`${wire}: ${faults.join("; ")}\n${JSON.stringify(body)}`);
      return [400, { error: { message: faults.join("; ") } }];
    }
    if (this.failures > 0) {
      this.failures -= 1;
      return [500, { error: { message: "The server had an error." } }];
    }
    return [200, replyOn(form, this.replies.shift()?.(wire) ?? answer)];
  }
}
