import type { NumberWords } from "../amount-in-words.ts";

const SMALL = [
  ...["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen"],
  ...["fifteen", "sixteen", "seventeen", "eighteen", "nineteen"],
];
const TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

export const numberWords: NumberWords = {
  below100: (value) => {
    const small = SMALL[value];
    if (small !== undefined) return small;
    const tens = TENS[Math.floor(value / 10)] ?? "";
    return value % 10 === 0 ? tens : `${tens}-${SMALL[value % 10]}`;
  },
  hundred: "hundred",
  scales: [
    [10_000_000n, "crore"],
    [100_000n, "lakh"],
    [1_000n, "thousand"],
  ],
  minus: "minus",
  point: "point",
  rupee: { one: "rupee", other: "rupees" },
  paisa: { one: "paisa", other: "paise" },
  sentence: (rupees, paise) => (paise === null ? `${rupees} only` : `${rupees} and ${paise} only`),
};
