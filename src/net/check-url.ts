import { type AddressKind, kindOfAddress } from "./address.js";
import { AllowedHosts, addressOf, isPrivateName, withoutDot } from "./hosts.js";
import { NetworkError } from "./network-error.js";

/** Longer ones are no addresses that a page gave, and are refused by many servers. */
const longestUrl = 8_192;

/** RFC 1035, section 2.3.4. */
const longestHost = 253;
const longestLabel = 63;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the URL parser drops some of them without a word
const controlCharacter = /[\u0000-\u001f\u007f]/;

const schemes: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** A URL whose text is allowed. The addresses of its host are checked when the connection is made. */
export interface CheckedUrl {
  readonly url: URL;
  /** The application allows this host by name, so that it may be private. */
  readonly allowed: boolean;
}

/**
 * Parses a URL, absolute or relative to `base` (of a redirect). It refuses other schemes than http and https, credentials, private names
 * and addresses, and ports of other protocols. Throws `NetworkError`.
 */
export function checkUrl(text: string, allowedHosts: AllowedHosts, base?: URL): CheckedUrl {
  const url = readUrl(text, base);
  const standardPort = schemes[url.protocol];
  if (standardPort === undefined) {
    throw new NetworkError("scheme", `${url.protocol} URLs aren't fetched: use one that begins with http:// or https://.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new NetworkError(
      "credentials",
      `A URL with a user name or password before "@${url.host}" isn't fetched: leave them out. An application gives credentials in a header.`,
    );
  }
  const host = withoutDot(url.hostname);
  if (!isHost(host)) throw new NetworkError("invalid", "The URL's host isn't a name that can exist: check how it is written.");
  if (host !== url.hostname) url.hostname = host;
  const port = url.port || standardPort;
  const { allowed, named } = allowedHosts.find(host, port);
  const address = addressOf(host);
  if (address !== undefined) refuseAddress(url, kindOfAddress(address), allowed);
  else if (!allowed && isPrivateName(host)) {
    throw new NetworkError("name", `${shown(url)} isn't fetched: "${host}" is a name of a private network. ${wayOut(url)}`);
  }
  if (!named && isRefusedPort(port)) {
    throw new NetworkError("port", `${shown(url)} isn't fetched: port ${port} isn't one of the web. ${wayOut(url, port)}`);
  }
  return { url, allowed };
}

/** Whether the text of a URL is allowed if no private host is. */
export function isPublicUrl(text: string): boolean {
  try {
    checkUrl(text, noHosts);
    return true;
  } catch (error) {
    if (error instanceof NetworkError) return false;
    throw error;
  }
}

const noHosts = new AllowedHosts([]);

/** Throws if an address of that kind must not be connected to. */
export function refuseAddress(url: URL, kind: AddressKind, allowed: boolean): void {
  if (kind === "metadata") {
    throw new NetworkError("address", `${shown(url)} isn't fetched: it leads to an address at which clouds give out credentials.`);
  }
  if (kind === "private" && !allowed) {
    throw new NetworkError("address", `${shown(url)} isn't fetched: it leads to a private address. ${wayOut(url)}`);
  }
}

/** Scheme, host and port: the part of a URL that a message may quote. Path and query may hold secrets. */
export const shown = (url: URL): string => url.origin;

const wayOut = (url: URL, port?: string): string =>
  `Use a public URL; an application that means this host allows it: allowedHosts: ["${url.hostname}${port === undefined ? "" : `:${port}`}"].`;

function readUrl(text: string, base: URL | undefined): URL {
  if (text.trim() === "") throw new NetworkError("invalid", "The URL is empty: write the whole of it, beginning with https://.");
  if (text.length > longestUrl) throw new NetworkError("invalid", `The URL is longer than ${longestUrl} characters.`);
  if (controlCharacter.test(text)) {
    throw new NetworkError("invalid", "The URL holds a line break or another control character: write it without.");
  }
  try {
    return new URL(text, base);
  } catch {
    throw new NetworkError("invalid", 'The text isn\'t a URL: write the whole of it, such as "https://example.com/page".');
  }
}

const isHost = (host: string): boolean =>
  host !== "" && host.length <= longestHost && host.split(".").every((label) => label !== "" && label.length <= longestLabel);

/**
 * Ports of services that could read a request as commands of another protocol. They are the "bad ports" of the Fetch standard
 * (https://fetch.spec.whatwg.org/#port-blocking), which `node:http` doesn't know. Databases and daemons that accept commands without a
 * login are added.
 */
const refused: ReadonlySet<number> = new Set([
  ...[0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111],
  ...[113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554],
  ...[556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566],
  ...[6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
  ...[445, 2375, 2376, 3306, 5432, 6379, 9200, 11211, 27017],
]);

const isRefusedPort = (port: string): boolean => refused.has(Number(port));
