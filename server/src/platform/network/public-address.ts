import { type Address, contains, parseRange, type Range } from "./address.ts";

// IANA's special-purpose registries and multicast, and the few reachable blocks that belong to no
// company (AS112, AMT).
const SPECIAL_IPV4 = ranges([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
]);

const GLOBAL_IPV6 = ranges(["2000::/3"]);
// Includes tunnels to IPv4 (Teredo, 6to4), which could reach a private address through a public one.
const SPECIAL_IPV6 = ranges(["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3ffe::/16", "3fff::/20"]);

/** Whether an address, already unmapped, belongs to the public internet. */
export function isPublicAddress(address: Address): boolean {
  if (address.kind() === "ipv4") return !isInAnyRange(SPECIAL_IPV4, address);
  return isInAnyRange(GLOBAL_IPV6, address) && !isInAnyRange(SPECIAL_IPV6, address);
}

export function isInAnyRange(list: readonly Range[], address: Address): boolean {
  return list.some((range) => contains(range, address));
}

function ranges(texts: readonly string[]): readonly Range[] {
  return texts.map((text) => {
    const range = parseRange(text);
    if (!range) throw new Error(`${text} is no range.`);
    return range;
  });
}
