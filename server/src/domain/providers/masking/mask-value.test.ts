import fc from "fast-check";
import { expect, test } from "vitest";
import { isHarmless, maskText } from "./mask-value.ts";

const rules = { secrets: (text: string) => text, readable: [] };
// Longer than any text that is called harmless, so that every pattern is applied.
const REST = " .".repeat(60);

const piece = fc.oneof(
  fc.constantFrom("otp", "OTP ", "password: ", "ABCDE1234F", "abcde", "1234", "123456789", "9876543210", " is your code", "T", "é"),
  fc.constantFrom("1234 5678 9012", "1234-5678-9012", "<pid>", "&lt;pid", "_", "-", " ", "\n"),
  fc.string({ maxLength: 4 }),
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));

test("in a text that is called harmless, no pattern finds anything", () => {
  fc.assert(
    fc.property(text, (given) => {
      fc.pre(isHarmless(given));
      expect(maskText(`${given}${REST}`, rules)).toBe(`${given}${REST}`);
    }),
    { numRuns: 2000 },
  );
});

test.each(["SUCCESS", "T12345678", "TXN12345678A", "application/json", "ABCDEF1234G", "199.00"])("%s is harmless", (given) => {
  expect(isHarmless(given)).toBe(true);
});

test.each(["ABCDE1234F", "T123456789", "otp 1234", "a<b", "a&b", "1234 5678 9012", "x".repeat(101)])(
  "%s may have to be masked",
  (given) => {
    expect(isHarmless(given)).toBe(false);
  },
);
