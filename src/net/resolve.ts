import { lookup as lookUp } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { kindOfAddress } from "./address.js";
import { type CheckedUrl, refuseAddress } from "./check-url.js";
import { NetworkError } from "./network-error.js";

/** Gives the addresses of a host's name; rejects if it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** As the system resolves names: its hosts file, then DNS. */
export const resolveBySystem: Resolve = async (host) => (await lookUp(host, { all: true })).map(({ address }) => address);

/**
 * The `lookup` of one connection: names are resolved once, and the addresses that were checked are those that Node
 * connects to. Checking first and resolving again would let a name server change its answer in between (rebinding).
 * One private address refuses the whole name, because any of them may be picked.
 */
export function guardedLookup({ url, allowed }: CheckedUrl, resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    checkedAddresses(host, { url, allowed }, resolve).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ""),
    );
  };
}

interface Address {
  readonly address: string;
  readonly family: number;
}

async function checkedAddresses(host: string, { url, allowed }: CheckedUrl, resolve: Resolve): Promise<[Address, ...Address[]]> {
  const [first, ...others] = await addressesOf(host, resolve);
  if (first === undefined) throw unknownHost(host);
  const addresses: [string, ...string[]] = [first, ...others];
  for (const address of addresses) refuseAddress(url, kindOfAddress(address), allowed);
  return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })) as [Address, ...Address[]];
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    return await resolve(host);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAI_AGAIN") throw unknownHost(host);
    throw new NetworkError("dns", `The name "${host}" can't be looked up at present. Try again later.`);
  }
}

const unknownHost = (host: string): NetworkError =>
  new NetworkError("dns", `There is no host named "${host}". Check how the name is written, or find the address by a search.`);
