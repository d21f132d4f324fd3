import { type Address, contains, parseAddress, type Range } from "../../../platform/network/address.ts";
import type { RequestHead } from "./request-head.ts";

/**
 * Where a request comes from (contract, section 2, check 3). Only a trusted proxy is believed about somebody else. Its list
 * is read from the right, and the first entry that is no trusted proxy decides: what is left of it, the client may have
 * written. Null when that entry is not an address.
 */
export function sourceAddress(peer: Address, head: RequestHead, trustedProxies: readonly Range[]): Address | null {
  if (trustedProxies.length === 0 || head.forwardedFor.length === 0 || !isTrusted(peer, trustedProxies)) return peer;
  for (const entry of head.forwardedFor.join(",").split(",").reverse()) {
    const hop = parseAddress(entry.trim());
    if (hop === null || !isTrusted(hop, trustedProxies)) return hop;
  }
  return peer;
}

function isTrusted(address: Address, trustedProxies: readonly Range[]): boolean {
  return trustedProxies.some((range) => contains(range, address));
}
