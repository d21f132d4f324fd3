import { withReason } from "../accounts/account-change.ts";
import type { NotFound, WithReason } from "../accounts/context.ts";
import { appendAudit } from "../audit/append.ts";
import { hasService } from "../catalogue/store.ts";
import type { Transaction } from "../db/connection.ts";
import type { JsonObject } from "../kernel/strict-json.ts";
import type { UpstreamContext } from "./context.ts";
import type { Fault } from "./faults.ts";
import { ANY, type Route } from "./routing.ts";
import { lockProvider, lockRoute, type RouteKey, upsertRoute } from "./store.ts";

/** What is not given stays as it was, or is as usual for a new one. */
export type RouteInput = WithReason &
  RouteKey & {
    readonly priority?: number | undefined;
    readonly weight?: number | undefined;
    readonly enabled?: boolean | undefined;
  };
export type SaveRouteResult =
  | { readonly kind: "done"; readonly route: Route }
  | NotFound
  | { readonly kind: "invalid"; readonly faults: readonly Fault[] };

const OPERATOR = /^[A-Za-z0-9_-]{1,64}$/;
const MOST = 1000;
const USUAL = { priority: 100, weight: 100, enabled: true };

/** Adds a route or changes one; not found when there is no such provider. */
export async function saveRoute(ctx: UpstreamContext, actor: string, input: RouteInput): Promise<SaveRouteResult> {
  const faults = await faultsOf(ctx, input);
  if (faults.length > 0) return { kind: "invalid", faults };
  const route = await ctx.sql.begin((tx) => change(tx, ctx, actor, input));
  if (!route) return { kind: "not_found" };
  await ctx.refresh();
  return { kind: "done", route };
}

async function faultsOf(ctx: UpstreamContext, route: RouteInput): Promise<readonly Fault[]> {
  const known = route.service === ANY || (await hasService(ctx.sql, route.service));
  const number = (value = 1) => Number.isInteger(value) && value >= 1 && value <= MOST;
  const range = `Must be a whole number from 1 to ${MOST}.`;
  return [
    ...(known ? [] : [{ path: "service", message: "Must be a service's name or *." }]),
    ...(route.operator === ANY || OPERATOR.test(route.operator) ? [] : [{ path: "operator", message: "Must be an operator's code or *." }]),
    ...(number(route.priority) ? [] : [{ path: "priority", message: range }]),
    ...(number(route.weight) ? [] : [{ path: "weight", message: range }]),
  ];
}

async function change(tx: Transaction, ctx: UpstreamContext, actor: string, input: RouteInput): Promise<Route | null> {
  // The provider's lock stands for its routes too, also for one that is not there yet.
  if (!(await lockProvider(tx, input.provider))) return null;
  const { service, operator, provider } = input;
  const before = await lockRoute(tx, input);
  const kept = before ?? USUAL;
  const after: Route = {
    ...{ service, operator, provider },
    priority: input.priority ?? kept.priority,
    weight: input.weight ?? kept.weight,
    enabled: input.enabled ?? kept.enabled,
  };
  const changes = difference(before, after);
  if (Object.keys(changes).length === 0) return after;
  await upsertRoute(tx, after);
  const details = withReason({ service, operator, changes }, input.reason);
  const subject = { kind: "provider", id: provider } as const;
  await appendAudit(tx, new Date(ctx.clock.now()), { actor, action: "provider.route_saved", subject, details });
  return after;
}

function difference(before: Route | undefined, after: Route): JsonObject {
  const names = ["priority", "weight", "enabled"] as const;
  const changed = names.filter((name) => before?.[name] !== after[name]);
  return Object.fromEntries(changed.map((name) => [name, { from: before?.[name] ?? null, to: after[name] }]));
}
