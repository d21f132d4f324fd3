import type { Rate, Rule } from "./rule.ts";

/** A rule as the form has it: everything is text, and nothing is "". */
export type RateText = { percent: string; flat: string; min: string; max: string };
export type TermsText = { account_id: string; service: string; operator: string; fee: RateText; commission: RateText };

const NO_RATE: RateText = { percent: "", flat: "", min: "", max: "" };
export const NO_TERMS: TermsText = { account_id: "", service: "", operator: "", fee: NO_RATE, commission: NO_RATE };

export function termsOf(rule: Rule): TermsText {
  return {
    account_id: rule.account_id ?? "",
    service: rule.service ?? "",
    operator: rule.operator ?? "",
    fee: rateTextOf(rule.fee),
    commission: rateTextOf(rule.commission),
  };
}

function rateTextOf(rate: Rate): RateText {
  const given = (text: string | null) => (text !== null && /[1-9]/.test(text) ? text : "");
  return { percent: given(rate.percent), flat: given(rate.flat), min: given(rate.min), max: given(rate.max) };
}

/** As the API takes it: what is empty is left out. */
export function bodyOf({ account_id, service, operator, fee, commission }: TermsText): object {
  return { ...given({ account_id, service, operator: service === "" ? "" : operator }), fee: given(fee), commission: given(commission) };
}

function given(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ""),
  );
}
