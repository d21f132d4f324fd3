import { operatorsText } from "../messages/en/operators.ts";
import { fill } from "../messages/fill.ts";
export type Hours = { readonly opens_at: string | null; readonly closes_at: string | null };

export function hoursText({ opens_at: opens, closes_at: closes }: Hours): string {
  return opens === null && closes === null
    ? operatorsText.allDay
    : fill(operatorsText.to, { opens: opens ?? "00:00", closes: closes ?? "24:00" });
}

const KINDS: Readonly<Record<string, string>> = {
  mobile_prepaid: operatorsText.mobilePrepaid,
  mobile_postpaid: operatorsText.mobilePostpaid,
  dth: "DTH",
};

export function kindText(kind: string): string {
  return KINDS[kind] ?? kind;
}

export function rateText(rate: number | null): string {
  return rate === null ? "–" : `${(rate * 100).toFixed(1)} %`;
}
