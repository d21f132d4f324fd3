import { type ModeFacts, modeOf } from "@corprail/server/domain/providers/mode/mode";
import { createProviderDirectory, type Provider, type ProviderDirectory } from "@corprail/server/domain/providers/provider-directory";
import { eligibleRoutes, type Network } from "@corprail/server/domain/providers/routing/eligibility";
import { DEFAULT_SIMULATOR } from "@corprail/server/domain/providers/simulator/simulator";
import type { RouteKey } from "@corprail/server/domain/providers/store";
import { createLog } from "@corprail/server/platform/observability/log";
import type { Installation } from "../shared/load-installation.ts";
import type { CommandContext } from "../shared/run-command.ts";

export type InstalledProviders = Network & { readonly providers: readonly Provider[]; readonly modeFacts: ModeFacts };

/** Loads providers and routes as a service with this environment would. */
export async function readInstalled(ctx: CommandContext, installation: Installation): Promise<InstalledProviders> {
  return await useInstalled(ctx, installation, async (directory) => {
    const modeFacts = directory.modeFacts();
    const { provider } = directory;
    return { providers: directory.providers(), routes: directory.routes(), provider, modeFacts, mode: modeOf(modeFacts) };
  });
}

/** The same while the connectors can be used. */
export async function useInstalled<Result>(
  ctx: CommandContext,
  { sql, vault, clock, egress }: Installation,
  use: (directory: ProviderDirectory) => Promise<Result>,
): Promise<Result> {
  const directory = createProviderDirectory({
    sql,
    vault,
    // Faults are reported in each provider's `fault`, not in the log.
    log: createLog("silent"),
    environment: ctx.config.providerSecrets,
    modeSetting: ctx.config.mode,
    connectorDependencies: () => ({ clock, egress, simulator: DEFAULT_SIMULATOR, reportTo: () => {} }),
  });
  try {
    await directory.load();
    return await use(directory);
  } finally {
    await directory.close();
  }
}

/** The providers that orders of a service and operator go to. */
export type Plan = { readonly service: string; readonly operator: string; readonly providers: readonly string[] };

export function planOf(installed: InstalledProviders, { service, operator }: Omit<RouteKey, "provider">): Plan {
  return { service, operator, providers: eligibleRoutes(installed, service, operator).map((route) => route.provider) };
}

export function planText({ service, operator, providers }: Plan): string {
  return providers.length === 0
    ? `No provider is available for ${service} ${operator}: such orders are refused.`
    : `${service} ${operator} goes to ${providers.join(", then ")}.`;
}
