import { useQuery } from "@tanstack/react-query";
import { get } from "../../ui/api.ts";
import { countText, moneyText, readIndiaTime } from "../../ui/format.ts";

/** What a switch would hit. */
export type Impact = {
  readonly since: string;
  readonly orders: number;
  readonly accounts: number;
  readonly amount: string;
  readonly pending: number;
  /** Of a provider: who is tried then. */
  readonly afterwards?: readonly { readonly service: string; readonly operator: string; readonly providers: readonly string[] }[];
};

export function useImpact(path: string) {
  return useQuery({ queryKey: ["impact", path], queryFn: ({ signal }) => get<Impact>(path, {}, signal), gcTime: 0, staleTime: 0 });
}

/** "Since 14:05:00 IST 1,204 orders of 31 accounts went this way (₹4,10,200.0000); 12 are pending now." */
export function impactText({ since, orders, accounts, amount, pending }: Impact): string {
  const clock = readIndiaTime(since)?.clock ?? since;
  const went =
    orders === 0
      ? "no order went this way"
      : `${many(orders, "order")} of ${many(accounts, "account")} went this way (${moneyText(amount)})`;
  const open = pending === 0 ? "none is pending now" : `${countText(pending)} ${pending === 1 ? "is" : "are"} pending now`;
  return `Since ${clock} IST ${went}; ${open}.`;
}

function many(count: number, word: string): string {
  return `${countText(count)} ${word}${count === 1 ? "" : "s"}`;
}

/** "recharge AT goes to beta, then gamma." */
export function goesTo(service: string, operator: string, providers: readonly string[]): string {
  const what = `${service === "*" ? "Every service" : service}, ${operator === "*" ? "every operator" : operator}`;
  return `${what}: ${providers.length === 0 ? "no provider is left, such orders are refused" : `goes to ${providers.join(", then ")}`}.`;
}
