import type { IncomingMessage } from "node:http";
import { networkInterfaces } from "node:os";
import fc from "fast-check";
import { GuardedClient } from "../../src/net/index.js";
import { type LocalServer, loopbackAlone, outcomeOf, serve } from "./support.js";
import { repeats } from "../support/repeats.js";

/**
 * No request ever reaches a private address, whatever a model, a page or a name server writes. Two servers of this machine play the
 * world: a gateway, which the application allows and which redirects as a property says, and one that nothing may reach, at
 * every address that the machine has.
 */
let gateway: LocalServer;
let secret: LocalServer;
let connections: ReturnType<typeof loopbackAlone>;
const hits: string[] = [];
let chain: readonly { readonly status: number; readonly location: string }[] = [];

beforeAll(async () => {
  gateway = await serve((request, response) => {
    const hop = chain[Number(request.url?.slice(1))];
    if (hop === undefined) response.writeHead(200, { "content-type": "text/plain" }).end("arrived");
    else response.writeHead(hop.status, { location: hop.location }).end();
  });
  secret = await serve(({ headers, url }: IncomingMessage, response) => {
    hits.push(`${headers.host}${url}`);
    response.writeHead(200, { "content-type": "text/plain" }).end("secret");
  }, everyAddress());
  connections = loopbackAlone();
});
beforeEach(() => {
  hits.length = 0;
  connections.addresses.length = 0;
});
afterAll(async () => {
  connections.restore();
  await Promise.all([gateway.close(), secret.close()]);
});

/** `::` takes IPv4 too, where the machine has IPv6. */
function everyAddress(): string {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ family }) => family === "IPv6")) ? "::" : "0.0.0.0";
}

type Bytes = readonly number[];
const hex = (value: number): string => value.toString(16);
const numberOf = (bytes: Bytes): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);
const groupsOf = ([a = 0, b = 0, c = 0, d = 0]: Bytes): string => `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
const fullWidth = (text: string): string => text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
const escaped = (text: string): string => [...text].map((character) => `%${hex(character.charCodeAt(0))}`).join("");

/** How one IPv4 address may be written as the host of a URL. */
const spellings: readonly ((bytes: Bytes) => string)[] = [
  (bytes) => bytes.join("."),
  (bytes) => `${bytes.join(".")}.`,
  (bytes) => String(numberOf(bytes)),
  (bytes) => `0x${hex(numberOf(bytes)).toUpperCase()}`,
  (bytes) => `0${numberOf(bytes).toString(8)}`,
  (bytes) => bytes.map((byte) => `0${byte.toString(8)}`).join("."),
  (bytes) => bytes.map((byte) => `0x${hex(byte)}`).join("."),
  (bytes) => `${bytes[0]}.${numberOf(bytes.slice(1))}`,
  (bytes) => `${bytes[0]}.${bytes[1]}.${numberOf(bytes.slice(2))}`,
  (bytes) => bytes.join("。"),
  (bytes) => fullWidth(bytes.join(".")),
  (bytes) => escaped(bytes.join(".")),
  (bytes) => `[::ffff:${bytes.join(".")}]`,
  (bytes) => `[0:0:0:0:0:FFFF:${groupsOf(bytes)}]`,
  (bytes) => `[::${groupsOf(bytes)}]`,
  (bytes) => `[64:ff9b::${bytes.join(".")}]`,
  (bytes) => `[2002:${groupsOf(bytes)}::1]`,
  (bytes) => `[2606:4700::5efe:${groupsOf(bytes)}]`,
];

const byte = fc.integer({ min: 0, max: 255 });
const ownAddresses = Object.values(networkInterfaces()).flatMap((addresses = []) =>
  addresses.filter(({ family }) => family === "IPv4").map(({ address }) => address.split(".").map(Number)),
);
const privateBytes: fc.Arbitrary<Bytes> = fc.oneof(
  fc.constantFrom<Bytes>([127, 0, 0, 1], [0, 0, 0, 0], [169, 254, 169, 254], [168, 63, 129, 16], ...ownAddresses),
  fc
    .tuple(fc.constantFrom([127], [10], [0], [192, 168], [169, 254], [172, 16], [172, 31], [100, 64], [224], [255]), byte, byte, byte)
    .map(([network, ...rest]) => [...network, ...rest].slice(0, 4)),
);
const privateAddress = fc.oneof(
  privateBytes.map((bytes) => bytes.join(".")),
  fc.constantFrom("::1", "::", "fe80::1", "fc00::1", "fd00:ec2::254", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "::ffff:a9fe:a9fe"),
);
const publicAddress = fc.constantFrom("93.184.216.34", "8.8.8.8", "2606:2800:220:1::1");

/** What a URL may lead to: its text up to the port, and what its name resolves to, at each look-up anew. */
const target = fc.oneof(
  fc.tuple(privateBytes, fc.constantFrom(...spellings)).map(([bytes, spell]) => ({ host: spell(bytes), answers: [["127.0.0.1"]] })),
  fc.constantFrom("localhost", "LOCALHOST.", "a.localhost", "printer", "db.internal", "open.test").map((host) => ({
    host,
    answers: [["127.0.0.1"]],
  })),
  // Public at first, private at once or among others, in whatever order.
  fc
    .tuple(fc.array(fc.constant(["93.184.216.34"]), { maxLength: 2 }), fc.array(publicAddress, { maxLength: 3 }), privateAddress, fc.nat(3))
    .map(([before, others, address, place]) => ({
      host: "innocent.test",
      answers: [...before, [...others.slice(0, place), address, ...others.slice(place)]],
    })),
);
const form = fc.constantFrom<(authority: string) => string>(
  (authority) => `http://${authority}/`,
  (authority) => `HTTP:\\\\${authority}\\latest`,
  (authority) => `http:////${authority}/?next=http://example.com/`,
  (authority) => `http://example.com@${authority}/`,
  (authority) => `http://${authority}#@example.com/`,
);
/** A path, where it stands in a redirect. */
const withoutSlashes = fc.constant((authority: string): string => `http:${authority}/`);
const status = fc.constantFrom(301, 302, 303, 307, 308);

/** A client that allows the gateway alone; `innocent.test` resolves to one answer after the other, and to the last for ever. */
function clientFor(answers: readonly (readonly string[])[]): GuardedClient {
  const left = [...answers];
  return new GuardedClient({
    allowedHosts: [`open.test:${gateway.port}`],
    resolve: async (host) => (host === "open.test" ? ["127.0.0.1"] : (left.length > 1 && left.shift()) || (left[0] ?? [])),
  });
}

const allowed = () => `http://open.test:${gateway.port}`;

const fetched = (client: GuardedClient, url: string) => connections.request(() => client.fetch(url));

/** A connection that fails is one to a public address, which these tests stop. */
const refusals = ["address", "name", "credentials", "connection"];

/** Connections to public addresses are stopped at the edge of the machine; all others went to the gateway. */
function expectNothingReached(): void {
  expect(hits).toEqual([]);
  for (const { address, port } of connections.addresses.splice(0)) {
    if (!["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1"].includes(address)) expect([address, port]).toEqual(["127.0.0.1", gateway.port]);
  }
}

describe("no request ever reaches a private address", () => {
  it("by a URL, whatever its spelling, and whatever its name resolves to", async () => {
    await fc.assert(
      fc.asyncProperty(target, fc.oneof(form, withoutSlashes), async ({ host, answers }, write) => {
        const client = clientFor(answers);
        // As often as the name server has answers: each request looks the name up anew.
        for (const _ of answers) expect(refusals).toContain(await outcomeOf(fetched(client, write(`${host}:${secret.port}`))));
        expectNothingReached();
      }),
      { numRuns: repeats(1_000) },
    );
  }, 60_000);

  it("by redirects of an allowed host, however many, of whatever status, absolute or not", async () => {
    const hops = fc.array(fc.tuple(status, fc.boolean()), { maxLength: 4 });
    const relative = fc.constantFrom<(authority: string) => string>(
      (authority) => `//${authority}/`,
      (authority) => `\\\\${authority}/`,
      (authority) => `/\\${authority}/`,
    );
    await fc.assert(
      fc.asyncProperty(hops, status, target, fc.oneof(form, relative), async (before, last, { host, answers }, write) => {
        chain = [
          ...before.map(([code, absolute], index) => ({ status: code, location: `${absolute ? allowed() : ""}/${index + 1}` })),
          // As servers send what isn't ASCII: in UTF-8, which Node takes byte by byte.
          { status: last, location: Buffer.from(write(`${host}:${secret.port}`)).toString("latin1") },
        ];
        const client = clientFor(answers);
        for (const _ of answers) expect(refusals).toContain(await outcomeOf(fetched(client, `${allowed()}/0`)));
        expectNothingReached();
      }),
      { numRuns: repeats(500) },
    );
  }, 60_000);

  it("by a name that was public when it was looked up before", async () => {
    const client = clientFor([["93.184.216.34"], ["127.0.0.1"]]);
    const url = `http://innocent.test:${secret.port}/`;
    expect([await outcomeOf(fetched(client, url)), await outcomeOf(fetched(client, url))]).toEqual(["connection", "address"]);
    expect(connections.addresses).toEqual([{ address: "93.184.216.34", port: secret.port }]);
    expect(hits).toEqual([]);
  });

  it("unless the application allows it: then the request is sent", async () => {
    const client = new GuardedClient({ allowedHosts: ["127.0.0.1", "open.test"], resolve: async () => ["127.0.0.1"] });
    chain = [{ status: 302, location: `http://127.0.0.1:${secret.port}/` }];
    expect((await fetched(client, `${allowed()}/0`)).text()).toBe("secret");
    expect(hits).toEqual([`127.0.0.1:${secret.port}/`]);
  });
});
