import type { z } from "zod";
import { CALLBACK_REFUSALS } from "../../../domain/providers/callbacks/refused-callback.ts";
import type { RefusedCallbackRow } from "../../../domain/providers/callbacks/refused-callbacks.ts";
import { secretNames } from "../../../domain/providers/connector-setup.ts";
import type { ProviderBalance } from "../../../domain/providers/health/balances.ts";
import type { ProviderBreaker } from "../../../domain/providers/health/breakers.ts";
import type { Provider } from "../../../domain/providers/provider-directory.ts";
import type { ProviderRegistry } from "../../../domain/providers/registry.ts";
import type { Route } from "../../../domain/providers/routing/routing.ts";
import type { RoutingStep } from "../../../domain/providers/routing/routing-plan.ts";
import { originsOf } from "../../../domain/providers/settings/provider-origins.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { breakerOutput, providerDetailOutput, providerOutput, refusedCallbackOutput } from "./outputs.ts";
import type { routeOutput, routingStepOutput } from "./route-outputs.ts";

type ProviderFields = z.output<typeof providerOutput>;

/** What the views of providers are made from. */
export type ProviderSources = {
  readonly providerRegistry: ProviderRegistry;
  readonly balances: ReadonlyMap<string, ProviderBalance>;
};

export function providerView(
  { providerRegistry, balances }: ProviderSources,
  { row, fault, connector, secrets }: Provider,
): ProviderFields {
  const { status, successRate1h, succeeded, declined, pending, unheard, ours, averageMilliseconds } = providerRegistry.providerHealth(
    row.provider,
  );
  return {
    provider: row.provider,
    connector: row.connector,
    enabled: row.enabled,
    fault,
    addresses: [...new Set(originsOf(row))],
    secrets: secretNames(row.connector, row.settings).map((name) => ({ name, set: secrets.includes(name) })),
    callback_path: connector?.readCallback ? `/upstream/${row.provider}/callback` : null,
    status: statusOf({ row, fault }, succeeded + declined + pending + unheard === 0 ? "idle" : status),
    success_rate_1h: successRate1h,
    last_hour: { succeeded, declined, pending, unheard, ours, average_ms: averageMilliseconds },
    balance: balanceView(balances.get(row.provider)),
    routes: providerRegistry.routes().filter((route) => route.provider === row.provider).length,
    breakers_open: breakersOf(providerRegistry, row.provider).filter(({ breaker }) => breaker.state !== "closed").length,
    created_at: indiaDateTime(row.created_at.getTime()),
  };
}

function balanceView(known: ProviderBalance | undefined): ProviderFields["balance"] {
  const { balance = null, at = null } = known ?? {};
  return balance === null || at === null ? null : { amount: formatMoney(balance), at: indiaDateTime(at) };
}

export function providerDetail(sources: ProviderSources, provider: Provider, now: number): z.output<typeof providerDetailOutput> {
  const { row } = provider;
  const { providerRegistry } = sources;
  return {
    ...providerView(sources, provider),
    route_list: providerRegistry
      .routes()
      .filter((route) => route.provider === row.provider)
      .map(routeView),
    breakers: breakersOf(providerRegistry, row.provider).map((one) => breakerView(one, now)),
  };
}

function statusOf({ row, fault }: Pick<Provider, "row" | "fault">, health: "up" | "slow" | "down" | "idle"): ProviderFields["status"] {
  if (!row.enabled) return "off";
  return fault === null ? health : "incomplete";
}

function breakersOf(providerRegistry: ProviderRegistry, provider: string): readonly ProviderBreaker[] {
  return providerRegistry.breakers().filter((one) => one.provider === provider);
}

export function routeView({ service, operator, provider, priority, weight, enabled }: Route): z.output<typeof routeOutput> {
  return { service, operator, provider, priority, weight, enabled };
}

export function stepView({ route, passedOver, share, restsUntil }: RoutingStep): z.output<typeof routingStepOutput> {
  return {
    provider: route.provider,
    priority: route.priority,
    weight: route.weight,
    share: Math.round(share * 10_000) / 10_000,
    passed_over: passedOver,
    next_try_at: restsUntil === null ? null : indiaDateTime(restsUntil),
  };
}

/** If `next_try_at` is in the past, the next order tries the provider. */
export function breakerView({ provider, operator, breaker }: ProviderBreaker, now: number): z.output<typeof breakerOutput> {
  const { state, failures } = breaker;
  const rest = breaker.state === "closed" ? null : breaker;
  return {
    provider,
    operator,
    state,
    failures,
    since: rest && indiaDateTime(rest.since),
    next_try_at: rest && indiaDateTime(Math.max(rest.until, now)),
  };
}

export function refusedCallbackView(row: RefusedCallbackRow): z.output<typeof refusedCallbackOutput> {
  return {
    refusal_id: row.refusal_id,
    provider: row.provider === "-" ? null : row.provider,
    at: indiaDateTime(row.at.getTime()),
    reason: row.reason,
    message: CALLBACK_REFUSALS[row.reason],
    authentic: row.authentic,
    method: row.method,
    source: row.source,
    reference: row.reference,
    excerpt: row.excerpt,
  };
}
