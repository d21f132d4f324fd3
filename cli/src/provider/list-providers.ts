import { type ProviderBalance, readBalances } from "@corprail/server/domain/providers/health/balances";
import { readListStates } from "@corprail/server/domain/providers/lists/store";
import { MODE_WORDS } from "@corprail/server/domain/providers/mode/mode";
import type { Provider } from "@corprail/server/domain/providers/provider-directory";
import type { Route } from "@corprail/server/domain/providers/routing/routing";
import { indiaDateTime } from "@corprail/server/platform/core/india-time";
import { formatMoney } from "@corprail/server/platform/core/money";
import { counted } from "../shared/counted.ts";
import { withInstallation } from "../shared/load-installation.ts";
import { done, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { table } from "../shared/table.ts";
import { readInstalled } from "./installed-providers.ts";
import { listTable, listView } from "./show-lists.ts";

const HEADERS = ["PROVIDER", "CONNECTOR", "STATE", "BALANCE", "SECRETS"];

/** Lists providers and routes. For secrets it only shows which ones are set. */
export async function listProviders(ctx: CommandContext): Promise<Outcome> {
  return await withInstallation(ctx, async (installation) => {
    const { providers, routes, mode } = await readInstalled(ctx, installation);
    const balances = await readBalances(installation.sql);
    const lists = await readListStates(installation.sql);
    const report = [
      table(
        HEADERS,
        providers.map((one) => providerCells(one, balances.get(one.row.provider))),
      ),
      "",
      routeTable(routes),
      ...(lists.length === 0 ? [] : ["", listTable(lists, installation.clock.now())]),
    ].join("\n");
    return done(
      `${counted(providers.length, "provider")}, ${counted(routes.length, "route")}. The installation is ${MODE_WORDS[mode]}.`,
      {
        mode,
        providers: providers.map((one) => providerView(one, balances.get(one.row.provider))),
        routes,
        ...(lists.length === 0 ? {} : { lists: lists.map(listView) }),
      },
      report,
    );
  });
}

function providerView({ row, fault, secrets }: Provider, known: ProviderBalance | undefined) {
  const { balance = null, at = null } = known ?? {};
  const latest = balance === null || at === null ? null : { amount: formatMoney(balance), at: indiaDateTime(at) };
  return { provider: row.provider, connector: row.connector, enabled: row.enabled, fault, secrets, balance: latest };
}

function providerCells({ row, fault, secrets }: Provider, known: ProviderBalance | undefined): readonly string[] {
  const state = [row.enabled ? "on" : "off", ...(fault === null ? [] : ["incomplete"])].join(", ");
  const { balance = null, at = null } = known ?? {};
  const balanceText = balance === null || at === null ? "" : `${formatMoney(balance)} at ${indiaDateTime(at)}`;
  return [row.provider, row.connector, state, balanceText, [secrets.join(", "), fault ?? ""].filter((part) => part !== "").join(". ")];
}

function routeTable(routes: readonly Route[]): string {
  const cells = routes.map((route) => [
    route.service,
    route.operator,
    route.provider,
    String(route.priority),
    String(route.weight),
    route.enabled ? "on" : "off",
  ]);
  return table(["SERVICE", "OPERATOR", "PROVIDER", "PRIORITY", "WEIGHT", "STATE"], cells);
}
