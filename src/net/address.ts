import ipaddr from "ipaddr.js";

/**
 * Addresses at which clouds give out credentials: no host that is allowed by name may lead there either. All of
 * 169.254.0.0/16 counts as one of them (AWS, GCP, Azure, Scaleway and others).
 */
const metadataAddresses: ReadonlySet<string> = new Set([
  "168.63.129.16", // Azure
  "100.100.100.200", // Alibaba Cloud
  "192.0.0.192", // Oracle Cloud
  "fd00:ec2::254", // AWS
  "fd00:ec2::23", // AWS EKS
  "fd20:ce::254", // GCP
  "fd00:42::42", // Scaleway
]);

/** What IANA has given out for global unicast (RFC 4291, section 2.4); "unicast" would be all that has no other name. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

export type AddressKind = "public" | "private" | "metadata";

/**
 * What an IP address is to somebody who asks from outside. "private" is everything that isn't public: loopback,
 * private, link-local, shared, reserved, multicast, documentation. IPv6 addresses are judged by the IPv4 address that
 * they carry, too (mapped, NAT64, 6to4, ISATAP), because networks deliver them there. NAT64 around a public address is
 * public: networks without IPv4 give it for every IPv4 site.
 *
 * Throws for a text that isn't an address.
 */
export function kindOfAddress(text: string): AddressKind {
  // ipaddr.js 2.5 takes "::8.8.8.8" for "::ffff:8.8.8.8": as URLs write it, both are hexadecimal.
  const address = ipaddr.parse(text.includes(":") && text.includes(".") ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text);
  return address instanceof ipaddr.IPv6 ? kindOfIPv6(address) : kindOfIPv4(address);
}

function kindOfIPv4(address: ipaddr.IPv4): AddressKind {
  const range = address.range();
  if (range === "linkLocal" || metadataAddresses.has(address.toString())) return "metadata";
  return range === "unicast" ? "public" : "private";
}

function kindOfIPv6(address: ipaddr.IPv6): AddressKind {
  const last = kindOfIPv4(ipv4At(address, 12));
  // An operator may choose any prefix for NAT64; that a public address ends like this by chance won't happen.
  if (last === "metadata" || metadataAddresses.has(address.toString())) return "metadata";
  if (address.isIPv4MappedAddress() || address.match(nat64)) return last;
  if (address.range() === "6to4") return kindOfIPv4(ipv4At(address, 2));
  if (address.range() !== "unicast" || !address.match(globalUnicast)) return "private";
  return isIsatap(address) ? last : "public";
}

const ipv4At = (address: ipaddr.IPv6, offset: number): ipaddr.IPv4 => new ipaddr.IPv4(address.toByteArray().slice(offset, offset + 4));

/** RFC 5214, section 6.1: the interface identifier is 0000:5efe or 0200:5efe, then the IPv4 address. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean => parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);
