import { type Address, contains, formatRange, parseRange, type Range, textOf } from "../../platform/network/address.ts";

export type Allowlist = {
  /** As stored: addresses and CIDR ranges with masked host bits. */
  readonly entries: readonly string[];
  readonly admits: (address: Address) => boolean;
};

export const MAX_ALLOWLIST_ENTRIES = 500;
const MAX_REMEMBERED = 64;

/** An empty list admits nobody (contract, section 2). */
export function allowlist(ranges: readonly Range[]): Allowlist {
  const entries = [...new Set(ranges.map(formatRange))];
  const remembered = new Map<string, boolean>();
  return {
    entries,
    admits: (address) => {
      const text = textOf(address);
      const known = remembered.get(text);
      if (known !== undefined) return known;
      const admitted = ranges.some((range) => contains(range, address));
      // Bounded, because a client with a whole IPv6 network has many addresses.
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(text, admitted);
      return admitted;
    },
  };
}

export type ParsedAllowlist = { readonly ok: true; readonly list: Allowlist } | { readonly ok: false; readonly wrong: string };

export function parseAllowlist(entries: readonly string[]): ParsedAllowlist {
  const ranges: Range[] = [];
  for (const entry of entries) {
    const range = parseRange(entry);
    if (!range) return { ok: false, wrong: entry };
    ranges.push(range);
  }
  return { ok: true, list: allowlist(ranges) };
}
