import { formatMoney, type Money, moneyOf } from "../../../platform/core/money.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Transaction } from "../../../platform/db/connection.ts";
import { withReason } from "../../accounts/account-change.ts";
import type { NotFound, WithReason } from "../../accounts/context.ts";
import { appendAudit } from "../../audit/append.ts";
import { hasService } from "../../catalog/store.ts";
import type { ProvidersContext } from "../context.ts";
import { goLive } from "../mode/change-mode.ts";
import { modeOf } from "../mode/mode.ts";
import { hasRealRoute, readLiveCause, readTrialMoney } from "../mode/mode-store.ts";
import { canServe, isSimulated, missingFor } from "../settings/capabilities.ts";
import type { Fault } from "../settings/faults.ts";
import { lockProvider, lockRoute, type ProviderRow, type RouteKey, upsertRoute } from "../store.ts";
import { ANY, type Route } from "./routing.ts";

/** Absent fields stay unchanged, or get their default in a new route. */
export type RouteInput = WithReason &
  RouteKey & {
    readonly priority?: number | undefined;
    readonly weight?: number | undefined;
    readonly enabled?: boolean | undefined;
  };
/** The installation has just gone live; these balances of live accounts were credited in trial mode. */
export type WentLive = { readonly accounts: number; readonly amount: Money };

export type SaveRouteResult =
  | { readonly kind: "done"; readonly route: Route; readonly wentLive: WentLive | null }
  | NotFound
  /** The provider cannot or must not take such orders (contract, section 9a). */
  | ({ readonly kind: "unusable" } & Fault)
  | { readonly kind: "invalid"; readonly faults: readonly Fault[] };

const OPERATOR = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_PRIORITY_OR_WEIGHT = 1000;
/** A route whose numbers are not given. */
export const USUAL_ROUTE = { priority: 100, weight: 100, enabled: true };

/** Adds or changes a route; not found when the provider does not exist. */
export async function saveRoute(ctx: ProvidersContext, actor: string, input: RouteInput): Promise<SaveRouteResult> {
  const faults = await faultsOf(ctx, input);
  if (faults.length > 0) return { kind: "invalid", faults };
  const saved = await ctx.sql.begin((tx) => change(tx, ctx, actor, input));
  if (saved.kind !== "saved") return saved;
  await ctx.refresh();
  const money = saved.wentLive ? await readTrialMoney(ctx.sql) : null;
  return { kind: "done", route: saved.route, wentLive: money && { accounts: money.accounts, amount: moneyOf(money.amount) } };
}

async function faultsOf(ctx: ProvidersContext, route: RouteInput): Promise<readonly Fault[]> {
  const known = route.service === ANY || (await hasService(ctx.sql, route.service));
  const number = (value = 1) => Number.isInteger(value) && value >= 1 && value <= MAX_PRIORITY_OR_WEIGHT;
  const range = `Must be a whole number from 1 to ${MAX_PRIORITY_OR_WEIGHT}.`;
  return [
    ...(known ? [] : [{ path: "service", message: "Must be a service's name or *." }]),
    ...(route.operator === ANY || OPERATOR.test(route.operator) ? [] : [{ path: "operator", message: "Must be an operator's code or *." }]),
    ...(number(route.priority) ? [] : [{ path: "priority", message: range }]),
    ...(number(route.weight) ? [] : [{ path: "weight", message: range }]),
  ];
}

type Saved =
  | { readonly kind: "saved"; readonly route: Route; readonly wentLive: boolean }
  | Extract<SaveRouteResult, { readonly kind: "not_found" | "unusable" }>;

async function change(tx: Transaction, ctx: ProvidersContext, actor: string, input: RouteInput): Promise<Saved> {
  // The provider's row lock also covers its routes, including a new one.
  const row = await lockProvider(tx, input.provider);
  if (!row) return { kind: "not_found" };
  const { service, operator, provider } = input;
  const before = await lockRoute(tx, input);
  const kept = before ?? USUAL_ROUTE;
  const after: Route = {
    ...{ service, operator, provider },
    priority: input.priority ?? kept.priority,
    weight: input.weight ?? kept.weight,
    enabled: input.enabled ?? kept.enabled,
  };
  const against = await refuse(tx, ctx, row, before, after);
  if (against) return { kind: "unusable", ...against };
  const at = new Date(ctx.clock.now());
  const wentLive = after.enabled && !isSimulated(row) && (await goLive(tx, { actor, cause: "route", at, details: { ...after } }));
  const changes = difference(before, after);
  if (Object.keys(changes).length === 0) return { kind: "saved", route: after, wentLive };
  await upsertRoute(tx, after);
  const details = withReason({ service, operator, changes }, input.reason);
  const subject = { kind: "provider", id: provider } as const;
  await appendAudit(tx, at, { actor, action: "provider.route_saved", subject, details });
  return { kind: "saved", route: after, wentLive };
}

/** Why this route must not be saved; null when it may. An unusable route may still be disabled. */
async function refuse(
  tx: Transaction,
  ctx: ProvidersContext,
  row: ProviderRow,
  before: Route | undefined,
  { service, operator, enabled }: Route,
): Promise<Fault | null> {
  if (before && !enabled) return null;
  if (!canServe(row, service, operator)) return { path: "provider", message: unableText(row, service, operator) };
  if (!isSimulated(row)) return null;
  const facts = { setting: ctx.modeSetting ?? null, stored: await readLiveCause(tx), hasRealRoute: await hasRealRoute(tx) };
  return modeOf(facts) === "trial" ? null : { path: "provider", message: SIMULATOR_IN_LIVE };
}

export const SIMULATOR_IN_LIVE =
  "The installation is live, and the simulator serves sandbox accounts only, without a route. Choose a real provider.";

function unableText(row: ProviderRow, service: string, operator: string): string {
  const what = service === ANY ? "any service" : `the service ${service}`;
  const whom = operator === ANY ? "" : ` for the operator ${operator}`;
  const missing = missingFor(row, service);
  const lacking = missing.length === 0 ? "" : ` It lacks ${missing.join("; ")}.`;
  return `The provider ${row.provider} cannot do ${what}${whom}: orders could never take this route.${lacking} Choose another provider, or change its description.`;
}

function difference(before: Route | undefined, after: Route): JsonObject {
  const names = ["priority", "weight", "enabled"] as const;
  const changed = names.filter((name) => before?.[name] !== after[name]);
  return Object.fromEntries(changed.map((name) => [name, { from: before?.[name] ?? null, to: after[name] }]));
}

/** The message for staff who saved the first route to a real provider. */
export function wentLiveText({ accounts, amount }: WentLive): string {
  const held =
    accounts === 0
      ? []
      : [
          `${accounts === 1 ? "One account holds" : `${accounts} accounts hold`} ${formatMoney(amount)} rupees that were booked in trial and can be spent now: take back what is not real.`,
        ];
  return [
    "This was the first route to a real provider: the installation is live from now on, and stays live.",
    "The simulator serves sandbox accounts only; what has no real provider is refused.",
    ...held,
  ].join(" ");
}
