import { AsyncLocalStorage } from "node:async_hooks";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { NetworkError } from "../../src/net/index.js";

/** A loopback server; `url` has no slash at its end. */
export interface LocalServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export async function serve(listener: RequestListener, host = "127.0.0.1"): Promise<LocalServer> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The code of the `NetworkError` that a promise rejects with, or "allow". Other errors are thrown on. */
export async function outcomeOf(exchange: Promise<unknown>): Promise<string> {
  try {
    await exchange;
    return "allow";
  } catch (error) {
    if (error instanceof NetworkError) return error.code;
    throw error;
  }
}

type Lookup = (host: string, options: object, callback: (error: Error | null, addresses: readonly { address: string }[]) => void) => void;

/** What a test hears where a connection would have been made. */
export const wouldConnect = "WOULD_CONNECT";

/** Set in the requests of a test: a client that an earlier file of this process left behind may connect meanwhile. */
const ownRequest = new AsyncLocalStorage<true>();

/**
 * Keeps the addresses to which sockets of the calling test would connect, and lets no socket do so: no packet leaves the machine. The
 * guard's own `lookup` is asked as Node would ask it.
 */
export function recordConnections(): { readonly addresses: string[]; restore(): void } {
  const addresses: string[] = [];
  ownRequest.enterWith(true);
  const spy = jest.spyOn(Socket.prototype, "connect").mockImplementation(function (this: Socket, ...given: any[]) {
    const options = Array.isArray(given[0]) ? given[0][0] : given[0];
    const end = (error: Error): void => void this.destroy(error);
    const refused = Object.assign(new Error("not in tests"), { code: wouldConnect });
    if (isAddress(options.host)) {
      if (ownRequest.getStore() === true) addresses.push(options.host);
      setImmediate(end, refused);
    } else {
      (options.lookup as Lookup)(options.host, { all: true }, (error, found) => {
        if (error === null && ownRequest.getStore() === true) addresses.push(...found.map(({ address }) => address));
        end(error ?? refused);
      });
    }
    return this;
  });
  return { addresses, restore: () => spy.mockRestore() };
}

/**
 * Lets sockets connect to 127.0.0.1 and the like, and to nothing outside of the machine, and keeps the addresses and ports that
 * those of `request` were to connect to.
 */
export function loopbackAlone(): {
  readonly addresses: { address: string; port: number }[];
  request<Response>(send: () => Promise<Response>): Promise<Response>;
  restore(): void;
} {
  const addresses: { address: string; port: number }[] = [];
  const { connect } = Socket.prototype;
  const leaves = (address: string, port: number): boolean => {
    if (ownRequest.getStore() === true) addresses.push({ address, port });
    return !/^(127\.|::1$|0\.0\.0\.0$|::$)/.test(address);
  };
  const spy = jest.spyOn(Socket.prototype, "connect").mockImplementation(function (this: Socket, ...given: any[]) {
    const [options] = Array.isArray(given[0]) ? given[0] : given;
    const refused = Object.assign(new Error("not in tests"), { code: wouldConnect });
    if (isAddress(options.host)) {
      if (!leaves(options.host, options.port)) return connect.apply(this, given as Parameters<typeof connect>);
      setImmediate(() => this.destroy(refused));
      return this;
    }
    const guarded = options.lookup as Lookup;
    const lookup: Lookup = (host, asked, callback) =>
      guarded(host, asked, (error, found) => {
        const outside = error === null && found.filter(({ address }) => leaves(address, options.port)).length > 0;
        callback(outside ? refused : error, found);
      });
    Object.assign(options, { lookup });
    return connect.apply(this, given as Parameters<typeof connect>);
  });
  return { addresses, request: (send) => ownRequest.run(true, send), restore: () => spy.mockRestore() };
}

const isAddress = (host: string): boolean => host.includes(":") || /^[\d.]+$/.test(host);
