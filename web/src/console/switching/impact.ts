import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../operator-api.ts";
import { countText, moneyText, readIndiaTime } from "../../ui/formats/format.ts";
import { get } from "../api.ts";

/** The orders and accounts that a switch affects. */
export type Impact = Schemas["SwitchImpact"] & Partial<Pick<Schemas["ProviderSwitchImpact"], "afterwards">>;

/** What can be switched for the whole installation. */
export type Switchable = { readonly kind: "operator" | "service" | "provider"; readonly name: string };

export function useImpact({ kind, name }: Switchable) {
  return useQuery({
    queryKey: ["impact", kind, name],
    queryFn: ({ signal }): Promise<Impact> => READ_IMPACT[kind](name, signal),
    gcTime: 0,
    staleTime: 0,
  });
}

const READ_IMPACT = {
  operator: (operator: string, signal: AbortSignal) => get("/operators/:operator/impact", { operator }, signal),
  service: (service: string, signal: AbortSignal) => get("/services/:service/impact", { service }, signal),
  provider: (provider: string, signal: AbortSignal) => get("/providers/:provider/impact", { provider }, signal),
} as const;

/** Such as "Since 14:05:00 IST: 1,204 orders of 31 accounts (₹4,10,200.0000). Pending now: 12." */
export function impactText({ since, orders, accounts, amount, pending }: Impact): string {
  const clock = readIndiaTime(since)?.clock ?? since;
  const affected = orders === 0 ? "no orders" : `${many(orders, "order")} of ${many(accounts, "account")} (${moneyText(amount)})`;
  return `Since ${clock} IST: ${affected}. Pending now: ${pending === 0 ? "none" : countText(pending)}.`;
}

function many(count: number, word: string): string {
  return `${countText(count)} ${word}${count === 1 ? "" : "s"}`;
}

/** Such as "recharge, AT: goes to beta, then gamma." */
export function goesTo(service: string, operator: string, providers: readonly string[]): string {
  const what = `${service === "*" ? "All services" : service}, ${operator === "*" ? "all operators" : operator}`;
  return `${what}: ${providers.length === 0 ? "no provider is left, orders are refused" : `goes to ${providers.join(", then ")}`}.`;
}
