import { validateHeaderName, validateHeaderValue } from "node:http";
import { NetworkError } from "./network-error.js";

/** One request of a `GuardedClient`. */
export interface GuardedRequest {
  /** Default: `GET`. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Milliseconds for the whole exchange, redirects and body included. Default: 10,000. */
  readonly timeout?: number;
  /** The maximum size of a response in bytes, decompressed. Default: 5 MiB. */
  readonly maxBytes?: number;
  /** The maximum number of redirects. Default: 10. */
  readonly maxRedirects?: number;
  /** The accepted content types: `text/html`, `text/*`, `application/*+json`. Default: every kind of text. */
  readonly contentTypes?: readonly string[];
  readonly abortSignal?: AbortSignal;
}

/** They belong to the connection, which the client makes. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...["accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"],
]);

/** Headers that reveal nothing about the caller; all others stay with the origin that they were written for. */
const harmless: ReadonlySet<string> = new Set(["accept", "accept-encoding", "accept-language", "user-agent"]);

/** The request's headers in lower case, with those that every request has. Throws `NetworkError`, which never quotes a value. */
export function readHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const read: Record<string, string> = { accept: "*/*", "accept-encoding": "gzip", "user-agent": "toolwright" };
  for (const [written, value] of Object.entries(headers)) {
    const name = written.toLowerCase();
    if (ownHeaders.has(name)) throw new NetworkError("header", `The header "${name}" can't be set: the client writes it itself.`);
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw new NetworkError(
        "header",
        `The header ${JSON.stringify(name)} holds a character that headers can't hold, such as a line break.`,
      );
    }
    read[name] = value;
  }
  return read;
}

/** What may go to another origin than the one that the headers were written for. */
export const harmlessHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => harmless.has(name)));
