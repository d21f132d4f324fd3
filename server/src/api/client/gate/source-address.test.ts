import fc from "fast-check";
import { expect, test } from "vitest";
import { type Address, parseAddress, parseRange, type Range } from "../../../platform/network/address.ts";
import { readHead } from "./request-head.ts";
import { sourceAddress } from "./source-address.ts";

const address = (text: string) => parseAddress(text) as Address;
const range = (text: string) => parseRange(text) as Range;
const PROXIES = [range("10.0.0.0/8"), range("fd00::/8")];

function facts(peer: string, headers: readonly string[], proxies: readonly Range[] = PROXIES): string | null {
  return sourceAddress(address(peer), readHead(headers.flatMap((value) => ["X-Forwarded-For", value])), proxies)?.toString() ?? null;
}

test.each<readonly [peer: string, headers: readonly string[], source: string | null]>([
  ["192.0.2.1", ["198.51.100.7"], "192.0.2.1"],
  ["10.0.0.1", [], "10.0.0.1"],
  ["10.0.0.1", ["198.51.100.7"], "198.51.100.7"],
  ["::ffff:10.0.0.1", ["198.51.100.7"], "198.51.100.7"],
  ["10.0.0.1", ["203.0.113.9, 198.51.100.7"], "198.51.100.7"],
  ["10.0.0.1", ["203.0.113.9", "198.51.100.7, 10.9.9.9"], "198.51.100.7"],
  ["10.0.0.1", ["198.51.100.7,10.1.1.1 ,\t10.2.2.2"], "198.51.100.7"],
  ["fd00::1", ["2001:db8::7"], "2001:db8::7"],
  ["10.0.0.1", ["10.1.1.1, fd00::2"], "10.0.0.1"],
  ["10.0.0.1", ["::ffff:198.51.100.7"], "198.51.100.7"],
  ["10.0.0.1", ["::ffff:10.5.5.5"], "10.0.0.1"],
  ["10.0.0.1", [""], null],
  ["10.0.0.1", ["198.51.100.7, "], null],
  ["10.0.0.1", ["198.51.100.7:80"], null],
  ["10.0.0.1", ["[2001:db8::7]"], null],
  ["10.0.0.1", ["198.51.100"], null],
  ["10.0.0.1", ["0198.51.100.7"], null],
  ["10.0.0.1", ["3325256711"], null],
  ["10.0.0.1", ["fe80::1%eth0"], null],
  ["10.0.0.1", [`"198.51.100.7"`], null],
  ["10.0.0.1", ["_hidden, 198.51.100.7"], "198.51.100.7"],
  ["10.0.0.1", ["198.51.100.7, unknown, 10.1.1.1"], null],
  ["10.0.0.1", ["198.51.100.7, , 10.1.1.1", "10.2.2.2"], null],
  ["10.0.0.1", [", 198.51.100.7, 10.1.1.1"], "198.51.100.7"],
  ["192.0.2.1", ["unknown"], "192.0.2.1"],
])("from peer %s with %j the source is %s", (peer, headers, source) => {
  expect(facts(peer, headers)).toBe(source);
});

test("without trusted proxies the header is ignored", () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string())), (peer, entries) => {
      expect(facts(peer, [entries.join(",")], [])).toBe(peer);
    }),
  );
});

test("entries that a client adds before the proxy's entry do not change the source", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), { maxLength: 5 }), (written) => {
      expect(facts("10.0.0.1", [[...written, "198.51.100.7"].join(", ")])).toBe("198.51.100.7");
    }),
  );
});
