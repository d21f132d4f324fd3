import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withCheckDigit } from "../../../../../../e2e/harness/verhoeff.ts";
import { isVerhoeff, masked, maskedAadhaar } from "./aadhaar.ts";

const eleven = fc.stringMatching(/^[0-9]{11}$/);

describe("Verhoeff's check", () => {
  test.each(["999999990019", "999941057058", "499118665246", "2363"])("passes %s, which is known to be right", (digits) => {
    expect(isVerhoeff(digits)).toBe(true);
  });

  test("has exactly one right last digit for every number", () => {
    fc.assert(
      fc.property(eleven, (digits) => {
        const right = Array.from({ length: 10 }, (_, last) => `${digits}${last}`).filter(isVerhoeff);
        expect(right).toEqual([withCheckDigit(digits)]);
      }),
    );
  });

  test("finds every wrong digit", () => {
    fc.assert(
      fc.property(eleven, fc.nat(11), fc.integer({ min: 1, max: 9 }), (digits, place, more) => {
        const right = withCheckDigit(digits);
        const wrong = (Number(right[place]) + more) % 10;
        expect(isVerhoeff(right.slice(0, place) + wrong + right.slice(place + 1))).toBe(false);
      }),
    );
  });

  test("finds every two neighbours that were swapped", () => {
    fc.assert(
      fc.property(eleven, fc.nat(10), (digits, place) => {
        const right = withCheckDigit(digits);
        const [a = "", b = ""] = [right[place], right[place + 1]];
        fc.pre(a !== b);
        expect(isVerhoeff(right.slice(0, place) + b + a + right.slice(place + 2))).toBe(false);
      }),
    );
  });
});

test("what is shown of a number is its last four digits", () => {
  expect(maskedAadhaar("1234")).toBe("XXXX XXXX 1234");
  expect(masked("ABCPE1234F")).toBe("XXXXXX234F");
  expect(masked("123")).toBe("123");
});
