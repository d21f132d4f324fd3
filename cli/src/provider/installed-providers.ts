import { openLog } from "@corprail/server/observe/log";
import { openDirectory, type Provider } from "@corprail/server/upstream/provider-directory";
import { type Route, routesFor } from "@corprail/server/upstream/routing";
import { DEFAULT_SIMULATOR } from "@corprail/server/upstream/simulator/simulator";
import type { RouteKey } from "@corprail/server/upstream/store";
import type { Installation } from "../open-installation.ts";
import type { CommandContext } from "../run-command.ts";

export type InstalledProviders = { readonly providers: readonly Provider[]; readonly routes: readonly Route[] };

/** Providers and routes as a service with this environment has them. */
export async function readInstalled(ctx: CommandContext, { sql, vault, clock }: Installation): Promise<InstalledProviders> {
  const directory = openDirectory({
    sql,
    vault,
    // What is wrong with a provider is in its `fault`.
    log: openLog("silent"),
    environment: ctx.config.providerSecrets,
    connectorDependencies: () => ({ clock, simulator: DEFAULT_SIMULATOR, reportTo: () => {} }),
  });
  try {
    await directory.load();
    return { providers: directory.providers(), routes: directory.routes() };
  } finally {
    await directory.close();
  }
}

/** Where orders go now. */
export type Way = { readonly service: string; readonly operator: string; readonly providers: readonly string[] };

export function wayOf({ providers, routes }: InstalledProviders, { service, operator }: Omit<RouteKey, "provider">): Way {
  const usable = new Set(providers.filter(isUsable).map(({ row }) => row.provider));
  const names = routesFor(routes, service, operator).map((route) => route.provider);
  return { service, operator, providers: names.filter((name) => usable.has(name)) };
}

export function wayText({ service, operator, providers }: Way): string {
  return `${service} ${operator} goes to ${providers.length === 0 ? "nobody: such orders fail" : providers.join(", then ")}.`;
}

function isUsable({ row, connector }: Provider): boolean {
  return row.enabled && connector !== null;
}
