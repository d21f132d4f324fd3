import type { JsonObject } from "@corprail/server/platform/core/strict-json";
import { counted } from "../shared/counted.ts";
import type { Change } from "./compare.ts";
import { ApiRefusal, type OperatorApi } from "./operator-api.ts";
import { priceBody } from "./requests.ts";

type Traffic = {
  readonly orders: number;
  readonly accounts: number;
  readonly amount: string;
  readonly pending?: number;
  readonly clients?: readonly string[];
};
type RouteImpact = Traffic & {
  readonly after: { readonly steps: readonly { readonly provider: string; readonly passed_over: string | null }[] };
};
type PriceImpact = {
  readonly days: number;
  readonly orders: number;
  readonly accounts: number;
  readonly fee: string;
  readonly commission: string;
  readonly current_fee: string;
  readonly current_commission: string;
};

/** What a change would hit, by the previews of the operator API; null where there is none. */
export async function impactOf(api: OperatorApi, change: Change): Promise<string | null> {
  try {
    return await preview(api, change);
  } catch (error) {
    // The plan is complete without it: the provider may be new, or the key's role may not see it.
    if (error instanceof ApiRefusal && [403, 404].includes(error.status)) return null;
    throw error;
  }
}

async function preview(api: OperatorApi, change: Change): Promise<string | null> {
  const { kind, name, value, action } = change;
  const isSwitchedOff = change.fields.some(({ path, to }) => path === "enabled" && to === false);
  if (kind === "routes") return await routePreview(api, change);
  if (kind === "prices") return await pricePreview(api, change);
  if (kind === "providers" && action !== "add") return trafficText(await api.get<Traffic>(`/providers/${name}/impact`));
  if ((kind === "operators" || kind === "services") && isSwitchedOff) return trafficText(await api.get<Traffic>(`/${kind}/${name}/impact`));
  if (kind !== "transfer_settings") return null;
  const { days, transfers, refused, fees, current_fees } = await api.ask<Readonly<Record<string, string>>>(
    "/services/transfers/settings/impact",
    value,
  );
  return `of the ${transfers} transfers of the last ${days} days ${refused} would have been refused; fees ${fees} instead of ${current_fees}`;
}

async function routePreview(api: OperatorApi, { value, action }: Change): Promise<string> {
  const { service, operator, provider, priority, weight } = value;
  const key = new URLSearchParams({ service: String(service), operator: String(operator) });
  if (action === "remove") {
    key.set("without", String(provider));
    return `afterwards tried: ${tried(await api.get<RouteImpact["after"]>(`/routes/plan?${key}`))}`;
  }
  key.set("provider", String(provider));
  key.set("priority", String(priority));
  key.set("weight", String(weight));
  const impact = await api.get<RouteImpact>(`/routes/impact?${key}`);
  return `${trafficText(impact)}; afterwards tried: ${tried(impact.after)}`;
}

function tried({ steps }: RouteImpact["after"]): string {
  const providers = steps.filter(({ passed_over: reason }) => reason === null).map(({ provider }) => provider);
  return providers.length === 0 ? "nobody" : providers.join(", ");
}

async function pricePreview(api: OperatorApi, { value, action }: Change): Promise<string | null> {
  if (action === "remove") return null;
  const { valid_from: _day, ...body } = priceBody(value);
  const impact = await api.ask<PriceImpact>("/pricing/impact", body as JsonObject);
  const { days, orders, accounts, fee, commission, current_fee: oldFee, current_commission: oldCommission } = impact;
  return `the ${orders} orders of ${counted(accounts, "client")} in the last ${days} days: fee ${fee} instead of ${oldFee}, commission ${commission} instead of ${oldCommission}`;
}

function trafficText({ orders, accounts, amount, pending, clients = [] }: Traffic): string {
  const named = clients.length === 0 ? "" : ` (${clients.join(", ")})`;
  const open = pending === undefined ? "" : `, ${pending} pending`;
  return `${counted(orders, "order")} of ${counted(accounts, "client")}${named} in the last hour, ${amount} rupees${open}`;
}
