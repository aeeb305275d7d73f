import { isIP } from "node:net";

/** A host that the application allows by name, as the guard compares it. */
interface AllowedHost {
  readonly host: string;
  readonly port: string | undefined;
}

/**
 * The hosts that an application reaches on purpose, though they are private: `"localhost:3000"`,
 * `"intranet.example.com"`, `"10.0.0.7"`, `"[::1]:8080"`. Without a port, every port of the web's is allowed.
 */
export class AllowedHosts {
  readonly #hosts: readonly AllowedHost[];

  constructor(entries: readonly string[]) {
    if (!Array.isArray(entries)) throw new TypeError('allowedHosts must be a list of hosts, such as ["localhost:3000"].');
    this.#hosts = entries.map(readEntry);
  }

  /** `host` and `port` as `URL` writes them, the port never empty; `named`: an entry names this very port. */
  find(host: string, port: string): { readonly allowed: boolean; readonly named: boolean } {
    const fitting = this.#hosts.filter((entry) => entry.host === host && (entry.port ?? port) === port);
    return { allowed: fitting.length > 0, named: fitting.some((entry) => entry.port !== undefined) };
  }
}

function readEntry(entry: string): AllowedHost {
  const written = typeof entry === "string" ? /^(\[[^\]]*\]|[^:[\]/@?#\s]+)(?::(\d{1,5}))?$/.exec(entry) : null;
  if (written === null || !URL.canParse(`http://${written[1]}`)) {
    throw new TypeError(
      `allowedHosts: ${JSON.stringify(entry)} isn't a host. Write a name or an address, with a port if you like: "localhost:3000", "[::1]".`,
    );
  }
  return { host: withoutDot(new URL(`http://${written[1]}`).hostname), port: written[2] };
}

/** `example.com.` and `example.com` are one host. */
export const withoutDot = (host: string): string => (host.endsWith(".") ? host.slice(0, -1) : host);

/** An address out of a URL's host name, or `undefined` if it is a name. */
export function addressOf(host: string): string | undefined {
  const address = host.startsWith("[") ? host.slice(1, -1) : host;
  return isIP(address) === 0 ? undefined : address;
}

/** Top-level names of private networks: RFC 6761, 6762, 8375, ICANN's reservation of `.internal`, and common habit. */
const privateDomain = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa)$/;

/** Names that lead into the own network; one without a dot is completed by the search domain. */
export const isPrivateName = (host: string): boolean => !host.includes(".") || privateDomain.test(host);
