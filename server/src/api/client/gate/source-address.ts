import { type Address, contains, parseAddress, type Range } from "../../../platform/network/address.ts";
import type { RequestHead } from "./request-head.ts";

/**
 * The source address of a request (contract, section 2, check 3). X-Forwarded-For is used only if a trusted proxy sent it.
 * It is read from the right, and the first entry that is not a trusted proxy is the source, because the client may have
 * written everything left of it. Null if that entry is not an address.
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
