import { parseMoney } from "../../../platform/core/money.ts";
import type { ProviderRequest } from "../connector.ts";

let made = 0;

/** A request with default values and a unique reference. */
export function providerRequest(what: Partial<Omit<ProviderRequest, "amount">> & { readonly amount?: string } = {}): ProviderRequest {
  const amount = parseMoney(what.amount ?? "199");
  if (amount === null) throw new Error("No amount.");
  made++;
  return {
    reference: `REF${String(made).padStart(9, "0")}`,
    service: "recharge",
    operation: "",
    operator: "AT",
    target: "9876543000",
    circle: null,
    createdAt: Date.now(),
    ...what,
    amount,
  };
}

export const NEVER: AbortSignal = new AbortController().signal;
