import { lookup } from "node:dns/promises";
import { type Address, parseAddress } from "./address.ts";
import { type AddressRules, addressFault } from "./address-rules.ts";

/** Resolves a name to its addresses; rejects if it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Result of a host check: `unresolved` means that the host has no address now, `refused` gives the reason. */
export type HostCheck = { readonly kind: "allowed" | "unresolved" } | { readonly kind: "refused"; readonly why: string };

const RESOLVE_MILLISECONDS = 5000;

/** Checks every address of a URL's host against the rules. */
export async function checkHost(url: URL, rules: AddressRules, resolve: Resolve = systemResolve): Promise<HostCheck> {
  const literal = literalOf(url);
  const addresses = literal ? [literal] : await resolvedAddresses(url.hostname, resolve);
  if (addresses === null) return { kind: "unresolved" };
  const why = addressFault(url, addresses, rules);
  return why === null ? { kind: "allowed" } : { kind: "refused", why };
}

/** Checks a URL whose host is a literal address. Null for a host name and for an allowed address. */
export function literalFault(url: URL, rules: AddressRules): string | null {
  const literal = literalOf(url);
  return literal ? addressFault(url, [literal], rules) : null;
}

// The URL parser has already normalised other spellings of an address, such as 0x7f.1 or 2130706433.
function literalOf(url: URL): Address | null {
  return parseAddress(url.hostname.replace(/^\[|\]$/g, ""));
}

async function resolvedAddresses(hostname: string, resolve: Resolve): Promise<readonly Address[] | null> {
  const texts = await withinTime(resolve(hostname)).catch(() => []);
  const addresses = texts.map(parseAddress);
  return addresses.length > 0 && addresses.every((address) => address !== null) ? addresses : null;
}

async function withinTime<Value>(work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The name server did not answer in time.")), RESOLVE_MILLISECONDS);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

async function systemResolve(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map((entry) => entry.address);
}
