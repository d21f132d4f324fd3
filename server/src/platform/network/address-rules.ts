import { networkInterfaces } from "node:os";
import { type Address, parseAddress, type Range, withoutZone } from "./address.ts";
import { isInAnyRange, isPublicAddress } from "./public-address.ts";

export type AddressRules = {
  /** Ranges that are allowed in addition to public addresses, on any port and without TLS. */
  readonly allow: readonly Range[];
  /** How public addresses may be reached: `https` allows only TLS on port 443 or 8443, `any` allows every scheme and port. */
  readonly transport?: "https" | "any";
  /** This machine's addresses; by default those of its network interfaces. */
  readonly ownAddresses?: () => readonly string[];
};

/** The parts of a URL that decide which addresses are allowed. An empty port is the scheme's default. */
export type Endpoint = { readonly protocol: string; readonly port: string };

const PORTS = new Set(["", "443", "8443"]);

export function isStandardPort(port: string): boolean {
  return PORTS.has(port);
}

/** Returns why requests to these addresses are refused, or null. One refused address refuses all (contract, section 7). */
export function addressFault(endpoint: Endpoint, addresses: readonly Address[], rules: AddressRules): string | null {
  if (addresses.every((address) => isInAnyRange(rules.allow, address))) return null;
  const transport = rules.transport === "any" ? null : transportFault(endpoint);
  if (transport !== null) return transport;
  if (!addresses.every(isPublicAddress)) return "Its host must have public addresses only.";
  return addresses.some(isOwn(rules)) ? "Its host is this service itself." : null;
}

function transportFault(endpoint: Endpoint): string | null {
  if (endpoint.protocol !== "https:") return "It must begin with https://.";
  return isStandardPort(endpoint.port) ? null : "Its port must be 443 or 8443.";
}

function isOwn(rules: AddressRules): (address: Address) => boolean {
  const own = (rules.ownAddresses ?? interfaceAddresses)().map((text) => parseAddress(text)?.toString());
  return (address) => own.includes(address.toString());
}

function interfaceAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map((entry) => withoutZone(entry.address)));
}
