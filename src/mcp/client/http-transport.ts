import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { longestTimer } from "../../tool/internal.js";
import { streamEnded } from "./explain-failure.js";
import { loadSdk } from "./load-sdk.js";
import type { McpHeaders, McpServerUrl } from "./mcp-server-address.js";
import { limitBody } from "./limit-body.js";
import type { KnownSecrets } from "./known-secrets.js";
import type { OpenTransport } from "./open-transport.js";
import { readableBody } from "./readable-body.js";

/** Milliseconds before a stream that has ended is asked for again, whatever the server wishes. */
const shortestPause = 1_000;

/** The maximum length of a server's challenge for credentials in characters (RFC 9728). */
const longestChallenge = 500;

/** The transport to a server behind a URL. The SDK follows redirects within its origin alone. */
export async function httpTransport({ url, headers = {} }: McpServerUrl, secrets: KnownSecrets): Promise<OpenTransport> {
  const sdk = await loadSdk();
  let challenge = "";
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
    fetch: async (input, init) => {
      const response = await fetch(input, { ...init, headers: await withOwn(headers, init?.headers, secrets) });
      challenge = response.headers.get("www-authenticate")?.slice(0, longestChallenge) ?? "";
      return readableBody(limitBody(response), sdk);
    },
    reconnectionScheduler: (reconnect, delay) => {
      // Lengthened by chance: the clients of a server that was restarted must not come back together.
      const pause = Math.max(delay, shortestPause) * (1 + Math.random() / 2);
      const timer = setTimeout(reconnect, Math.min(pause, longestTimer));
      return () => clearTimeout(timer);
    },
  });
  endWithStream(transport);
  return { transport, lastWords: () => challenge, failure: () => undefined, forget: () => undefined };
}

/** A request whose stream ends without an answer would wait for ever; a second answer, after the first, the SDK passes over. */
function endWithStream(transport: StreamableHTTPClientTransport): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (Array.isArray(message) || !("id" in message && "method" in message)) return send(message, options);
    const onRequestStreamEnd = (): void => {
      transport.onmessage?.({ jsonrpc: "2.0", id: message.id, error: { code: streamEnded, message: "The stream ended." } });
    };
    return send(message, { onRequestStreamEnd, ...options });
  };
}

/** What the protocol says of a request counts more than what the application adds. */
async function withOwn(own: McpHeaders, ofProtocol: RequestInit["headers"], secrets: KnownSecrets): Promise<Headers> {
  const given = typeof own === "function" ? await own() : own;
  secrets.holdHeaders(Object.entries(given));
  const headers = new Headers(given);
  for (const [name, value] of new Headers(ofProtocol)) headers.set(name, value);
  return headers;
}
