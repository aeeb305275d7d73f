import { type Reply, replyOn } from "./replies.js";
import { historyFaults, type Wire } from "./rules.js";

const answer: Reply = { text: "Done.", calls: [] };

/**
 * All providers, as the `fetch` of their packages: the first part of a path names the wire. A request that breaks a provider's rules gets
 * a 400 and is kept; any other gets the next reply, or a plain answer when there is none left.
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
    const { pathname } = new URL(request.url);
    const wire = pathname.split("/")[1] as Wire;
    const form = pathname.endsWith("/responses") ? "openai-responses" : wire;
    const [status, body] = this.#respond(wire, form, (await request.json()) as object);
    return Response.json(body, { status });
  };

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
