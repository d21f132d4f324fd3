import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAllowlist } from "../../domain/accounts/allowlist.ts";
import { contains, formatRange, parseAddress, parseRange } from "./address.ts";

type Family = { readonly width: number; readonly write: (value: bigint) => string };

const IPV4: Family = {
  width: 32,
  write: (value) => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join("."),
};
const IPV6: Family = {
  width: 128,
  write: (value) => [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 0xffffn).toString(16)).join(":"),
};

// The model: a range is every number with the same leading bits.
const networkOf = (value: bigint, bits: number, width: number) => value >> BigInt(width - bits);
const cases = (family: Family) =>
  fc.record({
    base: fc.bigInt({ min: 0n, max: 2n ** BigInt(family.width) - 1n }),
    bits: fc.integer({ min: 0, max: family.width }),
    flip: fc.integer({ min: 0, max: family.width - 1 }),
    other: fc.bigInt({ min: 0n, max: 2n ** BigInt(family.width) - 1n }),
  });
// The 128-bit model does not cover IPv4-mapped addresses, which are read as IPv4.
const isMapped = (family: Family, value: bigint) => family.width === 128 && value >> 32n === 0xffffn;

test.each([
  ["IPv4", IPV4],
  ["IPv6", IPV6],
])("an %s range contains exactly the addresses that share its leading bits", (_, family) => {
  fc.assert(
    fc.property(cases(family), ({ base, bits, flip, other }) => {
      const candidates = [base, other, base ^ (1n << BigInt(flip))];
      fc.pre(!candidates.some((value) => isMapped(family, value)));
      const range = parseRange(`${family.write(base)}/${bits}`);
      for (const candidate of candidates) {
        const address = parseAddress(family.write(candidate));
        expect(range && address && contains(range, address)).toBe(
          networkOf(candidate, bits, family.width) === networkOf(base, bits, family.width),
        );
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["IPv4", IPV4],
  ["IPv6", IPV6],
])("an %s range is written with its host bits masked, and reads back as itself", (_, family) => {
  fc.assert(
    fc.property(cases(family), ({ base, bits }) => {
      const shift = BigInt(family.width - bits);
      const masked = (base >> shift) << shift;
      fc.pre(!isMapped(family, base) && !isMapped(family, masked));
      const range = parseRange(`${family.write(base)}/${bits}`);
      const written = range ? formatRange(range) : "";
      const again = parseRange(written);
      expect(again && formatRange(again)).toBe(written);
      expect(parseAddress(written.split("/")[0] ?? "")?.toByteArray()).toEqual(parseAddress(family.write(masked))?.toByteArray());
    }),
  );
});

test("IPv4-mapped IPv6 addresses and ranges are read as IPv4", () => {
  fc.assert(
    fc.property(cases(IPV4), ({ base, bits }) => {
      const mapped = parseRange(`::ffff:${IPV4.write(base)}/${bits + 96}`);
      const plain = parseRange(`${IPV4.write(base)}/${bits}`);
      expect(mapped && formatRange(mapped)).toBe(plain && formatRange(plain));
    }),
  );
});

test.each([
  "",
  " 10.0.0.1",
  "10.0.0.1 ",
  "10.1",
  "010.0.0.1",
  "0x0a.0.0.1",
  "167772161",
  "300.1.1.1",
  "10.0.0.1/33",
  "10.0.0.1/",
  "10.0.0.1/08",
  "10.0.0.1/-1",
  "::1/129",
  "fe80::1%eth0",
  "::ffff:10.0.0.1/95",
  "nonsense",
  "1.2.3.4/24/24",
])("%j is neither an address nor a range", (text) => {
  expect(parseRange(text)).toBeNull();
  expect(parseAllowlist(["127.0.0.1", text])).toEqual({ ok: false, wrong: text });
});

test("an empty allowlist admits no address, and a list admits every address that an entry contains", () => {
  const address = parseAddress("127.0.0.1");
  const empty = parseAllowlist([]);
  const some = parseAllowlist(["10.0.0.0/8", "127.0.0.0/8"]);
  if (!address || !empty.ok || !some.ok) throw new Error("not read");
  expect(empty.list.admits(address)).toBe(false);
  expect(some.list.admits(address)).toBe(true);
  expect(some.list.admits(address)).toBe(true);
});
