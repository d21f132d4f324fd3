import { type Address, contains, parseAddress, type Range } from "../accounts/address.ts";
import type { RequestHead } from "./head.ts";

/**
 * Where a request comes from. Only a trusted proxy is believed about somebody else, and of the list it
 * hands on only the rightmost address that is not a trusted proxy itself: the rest the client may have written.
 */
export function sourceAddress(peer: Address, head: RequestHead, trustedProxies: readonly Range[]): Address {
  if (trustedProxies.length === 0 || head.forwardedFor.length === 0 || !isTrusted(peer, trustedProxies)) return peer;
  const hops: Address[] = [];
  for (const entry of head.forwardedFor.join(",").split(",")) {
    const hop = parseAddress(entry.trim());
    if (!hop) return peer;
    hops.push(hop);
  }
  return hops.findLast((hop) => !isTrusted(hop, trustedProxies)) ?? peer;
}

function isTrusted(address: Address, trustedProxies: readonly Range[]): boolean {
  return trustedProxies.some((range) => contains(range, address));
}
