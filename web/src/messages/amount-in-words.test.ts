import fc from "fast-check";
import { expect, test } from "vitest";
import { sumAmounts } from "../portal/wallet/sum-amounts.ts";
import { amountInWords, type NumberWords } from "./amount-in-words.ts";
import { numberWords as english } from "./en/number-words.ts";
import { numberWords as hindi } from "./hi/number-words.ts";

test.each([
  ["0", "Zero rupees only", "शून्य रुपये मात्र"],
  ["1", "One rupee only", "एक रुपया मात्र"],
  ["0.01", "Zero rupees and one paisa only", "शून्य रुपये एक पैसा मात्र"],
  ["19.1900", "Nineteen rupees and nineteen paise only", "उन्नीस रुपये उन्नीस पैसे मात्र"],
  ["100.0000", "One hundred rupees only", "एक सौ रुपये मात्र"],
  ["999.99", "Nine hundred ninety-nine rupees and ninety-nine paise only", "नौ सौ निन्यानवे रुपये निन्यानवे पैसे मात्र"],
  ["1000", "One thousand rupees only", "एक हज़ार रुपये मात्र"],
  [
    "123456.5000",
    "One lakh twenty-three thousand four hundred fifty-six rupees and fifty paise only",
    "एक लाख तेईस हज़ार चार सौ छप्पन रुपये पचास पैसे मात्र",
  ],
  ["10000000", "One crore rupees only", "एक करोड़ रुपये मात्र"],
  [
    "7945678901234",
    "Seven lakh ninety-four thousand five hundred sixty-seven crore eighty-nine lakh one thousand two hundred thirty-four rupees only",
    "सात लाख चौरानवे हज़ार पाँच सौ सड़सठ करोड़ नवासी लाख एक हज़ार दो सौ चौंतीस रुपये मात्र",
  ],
  ["-12.3405", "Minus twelve rupees and thirty-four point zero five paise only", "ऋण बारह रुपये चौंतीस दशमलव शून्य पाँच पैसे मात्र"],
])("%s in words", (exact, inEnglish, inHindi) => {
  expect(amountInWords(exact, english)).toBe(inEnglish);
  expect(amountInWords(exact, hindi)).toBe(inHindi);
});

/** Reads words back into a number, by another way than they are made: the value so far is multiplied or added to. */
function readWords(text: string, words: NumberWords): bigint {
  const small = new Map(Array.from({ length: 100 }, (_, value) => [words.below100(value), BigInt(value)]));
  const scales = new Map(words.scales.map(([size, name]) => [name, size]));
  const crore = words.scales[0]?.[1] ?? "";
  let [crores, sum, last] = [0n, 0n, 0n];
  for (const word of text.split(" ")) {
    if (word === crore) [crores, sum, last] = [(crores + sum + last) * 10_000_000n, 0n, 0n];
    else if (word === words.hundred) last *= 100n;
    else if (scales.has(word)) [sum, last] = [sum + last * (scales.get(word) ?? 0n), 0n];
    else last += small.get(word) ?? -1_000_000_000_000_000_000n;
  }
  return crores + sum + last;
}

test.each([
  ["English", english],
  ["Hindi", hindi],
])("every whole amount in %s is read back as itself", (_, words) => {
  expect(new Set(Array.from({ length: 100 }, (_unused, value) => words.below100(value))).size).toBe(100);
  fc.assert(
    fc.property(fc.bigInt(2n, 999_999_999_999_999n), (value) => {
      const said = amountInWords(String(value), words);
      const end = ` ${words.rupee.other}`;
      expect(readWords(said.charAt(0).toLowerCase() + said.slice(1, said.indexOf(end)), words)).toBe(value);
    }),
  );
});

test("sums of exact amounts are exact", () => {
  expect(sumAmounts(["0.1000", "0.2000", "-0.0001"])).toBe("0.2999");
  expect(sumAmounts(["-5", "4.9999"])).toBe("-0.0001");
  expect(sumAmounts([])).toBe("0.0000");
});
