import { loadedLanguage } from "./catalogue.ts";
import { numberWords as english } from "./en/number-words.ts";

/** How a language says numbers and amounts of money. */
export type NumberWords = {
  /** The numbers from 0 to 99. */
  readonly below100: (value: number) => string;
  readonly hundred: string;
  /** From large to small: crore, lakh, thousand. */
  readonly scales: readonly (readonly [size: bigint, name: string])[];
  readonly minus: string;
  readonly point: string;
  readonly rupee: { readonly one: string; readonly other: string };
  readonly paisa: { readonly one: string; readonly other: string };
  /** Joins rupees and paise, and says that nothing follows. */
  readonly sentence: (rupees: string, paise: string | null) => string;
};

/** A whole number in words of the Indian system: "one lakh twenty-three thousand". */
function wholeInWords(value: bigint, words: NumberWords): string {
  const scale = words.scales.find(([size]) => value >= size);
  if (scale !== undefined) {
    const [size, name] = scale;
    return rest(`${wholeInWords(value / size, words)} ${name}`, value % size, words);
  }
  if (value >= 100n) return rest(`${words.below100(Number(value / 100n))} ${words.hundred}`, value % 100n, words);
  return words.below100(Number(value));
}

function rest(before: string, value: bigint, words: NumberWords): string {
  return value === 0n ? before : `${before} ${wholeInWords(value, words)}`;
}

/** An exact amount ("123456.5000") in words, in the given language or in that of the page. */
export function amountInWords(exact: string, words: NumberWords = loadedLanguage()?.numberWords ?? english): string {
  const isNegative = exact.startsWith("-");
  const [whole = "0", fraction = ""] = (isNegative ? exact.slice(1) : exact).split(".");
  const decimals = fraction.padEnd(4, "0");
  const rupees = BigInt(whole);
  const said = `${isNegative ? `${words.minus} ` : ""}${wholeInWords(rupees, words)} ${rupees === 1n ? words.rupee.one : words.rupee.other}`;
  const sentence = words.sentence(said, paiseInWords(decimals, words));
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

// Fractions of a paisa are said digit by digit: "thirty-four point five paise".
function paiseInWords(decimals: string, words: NumberWords): string | null {
  const [paise, digits] = [Number(decimals.slice(0, 2)), decimals.slice(2).replace(/(?<!0)0+$/, "")];
  if (paise === 0 && digits === "") return null;
  const fraction = digits === "" ? "" : ` ${words.point} ${[...digits].map((digit) => words.below100(Number(digit))).join(" ")}`;
  return `${words.below100(paise)}${fraction} ${paise === 1 && digits === "" ? words.paisa.one : words.paisa.other}`;
}
