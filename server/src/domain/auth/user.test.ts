import { expect, test } from "vitest";
import { readEmail, readName } from "./user.ts";

test.each([
  [" Asha@Shop.Example ", "asha@shop.example"],
  ["a.b+c@sub.shop.example", "a.b+c@sub.shop.example"],
  ["o'brien@shop.example", "o'brien@shop.example"],
])("%s is an address", (text, email) => expect(readEmail(text)).toBe(email));

test.each([
  "",
  "asha",
  "asha@",
  "@shop.example",
  "asha@shop",
  "asha@@shop.example",
  "a b@shop.example",
  "a@b@shop.example",
  "asha@shop..example",
  "asha@-shop.example",
  "a,b@shop.example",
  "Asha <asha@shop.example>",
  "asha@shop.example\r\nBcc: all@shop.example",
  `${"a".repeat(65)}@shop.example`,
  `a@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}.${"e".repeat(63)}.example`,
])("%j is none", (text) => expect(readEmail(text)).toBeNull());

test.each([
  ["  Asha Rao ", "Asha Rao"],
  ["आशा राव", "आशा राव"],
])("%s is a name", (text, name) => expect(readName(text)).toBe(name));

test.each(["", "   ", "a".repeat(121), "Asha\nRao", "Asha\u202eoaR", "Asha\u2028Rao"])("%j is none", (text) =>
  expect(readName(text)).toBeNull(),
);
