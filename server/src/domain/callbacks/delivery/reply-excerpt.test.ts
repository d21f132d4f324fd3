import { expect, test } from "vitest";
import { replyExcerpt } from "./reply-excerpt.ts";

test.each([
  ["OK", "OK"],
  ["", undefined],
  [" \n", undefined],
  ['{"token":"tok_live_5Jt0Ywq2ZrX8cV1n"}', '{"token":"tok_live_[redacted]"}'],
  ["account 50100000000001 of 9876543210, order 1234", "account ••••••••••0001 of ••••••3210, order 1234"],
  ["a\u0000b\u001bc\td", "a\u{fffd}b\u{fffd}c\td"],
])("of %j is kept %j", (reply, kept) => {
  expect(replyExcerpt(Buffer.from(reply), false)).toBe(kept);
});

test("of a delivery less is kept, and bytes that are no text do no harm", () => {
  expect(replyExcerpt(Buffer.from("x".repeat(1_024)), true)).toHaveLength(200);
  expect(replyExcerpt(Buffer.from("x".repeat(1_024)), false)).toHaveLength(1_024);
  expect(replyExcerpt(Buffer.from([0xff, 0xfe, 0x41]), false)).toBe("\u{fffd}\u{fffd}A");
  expect(replyExcerpt(Buffer.alloc(100, 0xff), false)).toBe("[not text]");
  expect(replyExcerpt(Buffer.from("😀".repeat(200)), true)?.isWellFormed()).toBe(true);
});
