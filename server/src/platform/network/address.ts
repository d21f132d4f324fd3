import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Removes the zone (the part after the percent sign) from a link-local address. */
export function withoutZone(text: string): string {
  const zone = text.indexOf("%");
  return zone === -1 ? text : text.slice(0, zone);
}

/** Reads an address strictly: no short forms, no octal, no zone. An IPv4-mapped address becomes IPv4. */
export function parseAddress(text: string): Address | null {
  if (isIP(text) === 0 || text.includes("%")) return null;
  return unmapped(ipaddr.parse(text));
}

// Cached, because every request needs the text of its connection's address.
const texts = new WeakMap<Address, string>();

export function textOf(address: Address): string {
  const known = texts.get(address);
  if (known !== undefined) return known;
  const text = address.toString();
  texts.set(address, text);
  return text;
}

export type Range = { readonly base: Address; readonly bits: number };

const CIDR = /^([^/]+)\/(0|[1-9][0-9]{0,2})$/;

/** Reads an address or a CIDR range and masks its host bits; null if it is neither. */
export function parseRange(text: string): Range | null {
  const single = parseAddress(text);
  if (single) return { base: single, bits: widthOf(single) };
  const [, host = "", bitsText = ""] = CIDR.exec(text) ?? [];
  if (isIP(host) === 0 || host.includes("%")) return null;
  const written = ipaddr.parse(host);
  const base = unmapped(written);
  const bits = Number(bitsText) - (widthOf(written) - widthOf(base));
  if (bits < 0 || bits > widthOf(base)) return null;
  return { base: masked(base, bits), bits };
}

export function formatRange(range: Range): string {
  return range.bits === widthOf(range.base) ? range.base.toString() : `${range.base.toString()}/${range.bits}`;
}

export function contains(range: Range, address: Address): boolean {
  return range.base.kind() === address.kind() && address.match(range.base, range.bits);
}

/** Whether two ranges have an address in common. */
export function overlaps(one: Range, other: Range): boolean {
  return contains(one, other.base) || contains(other, one.base);
}

function unmapped(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function widthOf(address: Address): number {
  return address.kind() === "ipv4" ? 32 : 128;
}

function masked(address: Address, bits: number): Address {
  const bytes = address.toByteArray().map((byte, place) => byte & ((0xff00 >> Math.min(8, Math.max(0, bits - place * 8))) & 0xff));
  return ipaddr.fromByteArray(bytes);
}
