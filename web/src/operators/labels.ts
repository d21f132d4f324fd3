export type Hours = { readonly opens_at: string | null; readonly closes_at: string | null };

export function hoursText({ opens_at: opens, closes_at: closes }: Hours): string {
  return opens === null && closes === null ? "All day" : `${opens ?? "00:00"} to ${closes ?? "24:00"}`;
}

const KINDS: Readonly<Record<string, string>> = { mobile_prepaid: "Mobile, prepaid", mobile_postpaid: "Mobile, postpaid", dth: "DTH" };

export function kindText(kind: string): string {
  return KINDS[kind] ?? kind;
}

export function rateText(rate: number | null): string {
  return rate === null ? "–" : `${(rate * 100).toFixed(1)} %`;
}
