/** How much of the internet an allowlist entry lets in. */
export type RangeWidth = {
  readonly kind: "ordinary" | "wide" | "everyone";
  /** The number of addresses, such as "65,536" or "2^96". */
  readonly addresses: string;
};

const ENTRY = /^([0-9a-f.:]+)\/(\d{1,3})$/i;
const MAPPED_BITS = 96;
// A company's own range is at most this wide; anything wider is asked about.
const WIDE = { v4: 16, v6: 32 };
// A few such ranges are the whole internet.
const EVERYONE = { v4: 8, v6: 16 };
const EXACT_BITS = 32;

/** Reads the width of an entry. What is not an address with a prefix is ordinary: the service checks its form. */
export function widthOf(entry: string): RangeWidth {
  const [, address = "", prefix] = ENTRY.exec(entry.trim()) ?? [];
  if (prefix === undefined) return { kind: "ordinary", addresses: "1" };
  // An IPv4 address in IPv6 form counts as IPv4.
  const isMapped = address.toLowerCase().startsWith("::ffff:") && Number(prefix) >= MAPPED_BITS;
  const isV4 = isMapped || !address.includes(":");
  const bits = Number(prefix) - (isMapped ? MAPPED_BITS : 0);
  const family = isV4 ? "v4" : "v6";
  const rest = (isV4 ? 32 : 128) - bits;
  const addresses = rest > EXACT_BITS ? `2^${rest}` : (2 ** Math.max(0, rest)).toLocaleString("en-IN");
  if (bits < EVERYONE[family]) return { kind: "everyone", addresses };
  return { kind: bits < WIDE[family] ? "wide" : "ordinary", addresses };
}
