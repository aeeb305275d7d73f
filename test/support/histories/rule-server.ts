import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Reply, replyOn } from "./replies.js";
import { historyFaults, type Wire } from "./rules.js";

const answer: Reply = { text: "Done.", calls: [] };

/**
 * All providers on one local server: the first part of a path names the wire. A request that breaks a provider's rules gets a 400 and
 * is kept; any other gets the next reply, or a plain answer when there is none left.
 */
export class RuleServer {
  /** What was rejected, with the request. */
  readonly rejected: string[] = [];
  /** What was asked for, by wire: evidence that requests arrived. */
  readonly counts = new Map<Wire, number>();
  /** The next replies, made when they are sent: calls have the ids of the wire that is asked. */
  readonly replies: ((wire: Wire) => Reply)[] = [];
  /** The next requests fail with 500, as many as this. */
  failures = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on("request", async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      const wire = request.url?.split("/")[1] as Wire;
      const form = request.url?.endsWith("/responses") ? "openai-responses" : wire;
      const [status, body] = this.#respond(wire, form, JSON.parse(text));
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  }

  static async start(): Promise<RuleServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new RuleServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** `form`: that of the answer. */
  #respond(wire: Wire, form: Wire, body: object): [status: number, body: object] {
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
