import { BlockList } from "node:net";
import fc from "fast-check";
import { kindOfAddress } from "../../src/net/address.js";

/** IANA's special-purpose registries, written down independently of the library that the guard asks. */
const special = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["168.63.129.16", 32],
] as const) {
  special.addSubnet(network, prefix);
}

const hex = (number: number): string => number.toString(16);
const dotted = (number: number): string => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
const ipv4 = fc.oneof(
  fc.integer({ min: 0, max: 0xffffffff }),
  // Most random addresses are public: as many at and beside the edges of special networks.
  fc
    .tuple(
      fc.constantFrom(0x0a000000, 0x64400000, 0x7f000000, 0xa9fe0000, 0xac100000, 0xc0a80000, 0xc0000000),
      fc.integer({ min: -300, max: 300 }),
    )
    .map(([base, offset]) => (base + offset) >>> 0),
);

describe("the kind of an address", () => {
  it("is public exactly where IANA gave an IPv4 address no special purpose", () => {
    fc.assert(
      fc.property(ipv4, (number) => {
        const address = dotted(number);
        expect([address, kindOfAddress(address) === "public"]).toEqual([address, !special.check(address)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["IPv4-mapped", (high: string, low: string) => `::ffff:${high}:${low}`],
    ["NAT64", (high: string, low: string) => `64:ff9b::${high}:${low}`],
    ["6to4", (high: string, low: string) => `2002:${high}:${low}::1`],
    ["ISATAP", (high: string, low: string) => `2606:4700::5efe:${high}:${low}`],
    ["ISATAP, of a global address", (high: string, low: string) => `2606:4700::200:5efe:${high}:${low}`],
  ])("is that of the IPv4 address which an IPv6 address carries: %s", (_, embed) => {
    fc.assert(
      fc.property(ipv4, (number) => {
        const address = embed(hex(number >>> 16), hex(number & 0xffff));
        expect([address, kindOfAddress(address) === "public"]).toEqual([address, !special.check(dotted(number))]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is never public for an IPv6 address outside of global unicast, but for mapped ones and NAT64", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (parts) => {
        const address = parts.map(hex).join(":");
        if ((parts[0] ?? 0) >> 13 !== 1) expect([address, kindOfAddress(address)]).not.toEqual([address, "public"]);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    "169.254.169.254",
    "169.254.170.2",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fd00:42::42",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::a9fe:a9fe",
    "2001:db8:64::a9fe:a9fe",
  ])("recognises addresses at which clouds give out credentials: %s", (address) => {
    expect(kindOfAddress(address)).toBe("metadata");
  });

  it.each(["::", "::1", "::808:808", "2001::1", "64:ff9b:1::808:808", "fe80::1", "fec0::1", "2001:db8::1", "ff02::1", "4000::1", "100::1"])(
    "is private for %s, which no site on the internet has",
    (address) => {
      expect(kindOfAddress(address)).toBe("private");
    },
  );
});
