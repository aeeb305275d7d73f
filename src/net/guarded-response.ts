import type { IncomingHttpHeaders } from "node:http";
import { decodeText } from "./charset.js";
import { essenceOf } from "./content-type.js";
import { NetworkError } from "./network-error.js";

/** The answer to a request, of any status, read whole. */
export class GuardedResponse {
  /** The URL of the response, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Unpacked. Empty if an answer that isn't a success (2xx) had a body of another type than was asked for. */
  readonly body: Uint8Array;

  constructor(url: string, status: number, headers: IncomingHttpHeaders, body: Uint8Array) {
    this.url = url;
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /** True for 200 to 299. */
  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  /** The type alone, in lower case: `text/html`; empty if the answer doesn't say one. */
  get contentType(): string {
    return essenceOf(this.headers["content-type"]);
  }

  /** The body as text, by the charset that it says or shows. */
  text(): string {
    return decodeText(this.body, this.headers["content-type"]);
  }

  /** The body as JSON. Throws `NetworkError` if it isn't JSON, or only half of one. `parse` may read numbers in its own way. */
  json(parse: (text: string) => unknown = JSON.parse): unknown {
    try {
      return parse(this.text());
    } catch {
      throw new NetworkError("body", `${new URL(this.url).origin} answered with JSON that is broken or cut off. Try again later.`);
    }
  }
}
