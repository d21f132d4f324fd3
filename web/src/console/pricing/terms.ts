import type { OperatorApi } from "../../operator-api.ts";
import { isNonZero } from "../../ui/formats/format.ts";
import { type AccountChoice, UNMATCHED } from "../clients/account-choice.ts";
import type { Rate, Rule } from "./rule.ts";

/** A rate as form text; an empty text means none. */
export type RateText = { percent: string; flat: string; min: string; max: string };
/** Whether the rule applies to one account or to all accounts. */
export type Whose = "one" | "all";
export type TermsText = { whose: Whose; account_id: AccountChoice; service: string; operator: string; fee: RateText; commission: RateText };

const NO_RATE: RateText = { percent: "", flat: "", min: "", max: "" };
export const NO_TERMS: TermsText = { whose: "one", account_id: "", service: "", operator: "", fee: NO_RATE, commission: NO_RATE };

export function termsOf(rule: Rule): TermsText {
  return {
    whose: rule.account_id === null ? "all" : "one",
    account_id: rule.account_id ?? "",
    service: rule.service ?? "",
    operator: rule.operator ?? "",
    fee: rateTextOf(rule.fee),
    commission: rateTextOf(rule.commission),
  };
}

function rateTextOf(rate: Rate): RateText {
  const given = (text: string | null) => (text !== null && isNonZero(text) ? text : "");
  return { percent: given(rate.percent), flat: given(rate.flat), min: given(rate.min), max: given(rate.max) };
}

/** The scope and rates of a rule, as the API expects them. */
type RuleBody = OperatorApi["POST /pricing/impact"]["input"];

/** The request body. Empty values are left out, and all accounts must be chosen explicitly. */
export function bodyOf({ whose, account_id, service, operator, fee, commission }: TermsText): RuleBody {
  const account = whose === "all" ? ({ all_accounts: true } as const) : given({ account_id: account_id === UNMATCHED ? "" : account_id });
  return { ...account, ...given({ service, operator: service === "" ? "" : operator }), fee: given(fee), commission: given(commission) };
}

function given(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ""),
  );
}
