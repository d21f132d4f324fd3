import { readOperators } from "@corprail/server/domain/catalog/store";
import { MODE_WORDS } from "@corprail/server/domain/providers/mode/mode";
import { deleteRoute } from "@corprail/server/domain/providers/routing/delete-route";
import { ANY, type Route } from "@corprail/server/domain/providers/routing/routing";
import { saveRoute, wentLiveText } from "@corprail/server/domain/providers/routing/save-route";
import { faultText } from "@corprail/server/domain/providers/settings/faults";
import type { Sql } from "@corprail/server/platform/db/connection";
import { actor } from "../shared/actor.ts";
import { withInstallation } from "../shared/load-installation.ts";
import { done, failed, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { planOf, planText, readInstalled } from "./installed-providers.ts";

export type RouteOptions = { readonly priority?: number; readonly weight?: number };

/** Creates or changes a route. Options that are not given keep their value. */
export async function routeProvider(
  ctx: CommandContext,
  service: string,
  operator: string,
  provider: string,
  options: RouteOptions,
): Promise<Outcome> {
  return await withInstallation(ctx, async (installation) => {
    const result = await saveRoute(installation, actor(), { service, operator, provider, ...options, enabled: true });
    if (result.kind === "not_found") return failed(`There is no provider ${provider}.`);
    if (result.kind === "invalid") return failed(faultText(result.faults), { faults: result.faults });
    if (result.kind === "unusable") return failed(result.message, { faults: [{ path: result.path, message: result.message }] });
    const { route, wentLive } = result;
    if (wentLive) ctx.note(wentLiveText(wentLive));
    await noteUnknownOperator(ctx, installation.sql, route);
    const installed = await readInstalled(ctx, installation);
    const plan = planOf(installed, route);
    const fields = { ...route, mode: installed.mode, went_live: wentLive !== null, plan };
    return done(`The route is saved. ${planText(plan)} The installation is ${MODE_WORDS[installed.mode]}.`, fields);
  });
}

// Orders contain an operator's code, never its alias, so a route for anything else is never used.
async function noteUnknownOperator(ctx: CommandContext, sql: Sql, { service, operator }: Route): Promise<void> {
  if (service !== "recharge" || operator === ANY) return;
  const codes = (await readOperators(sql)).map((row) => row.operator);
  if (!codes.includes(operator)) ctx.note(`The catalogue has no recharge operator ${operator}; it has ${codes.join(", ")}.`);
}

/** Deletes a route and shows where its orders go now. */
export async function unrouteProvider(ctx: CommandContext, service: string, operator: string, provider: string): Promise<Outcome> {
  const key = { service, operator, provider };
  return await withInstallation(ctx, async (installation) => {
    const result = await deleteRoute(installation, actor(), key);
    if (result.kind === "not_found") return failed(`No route leads from ${service} ${operator} to ${provider}.`);
    const plan = planOf(await readInstalled(ctx, installation), key);
    return done(`The route was deleted. ${planText(plan)}`, { ...key, plan });
  });
}
