import { readOperators, readServices } from "@corprail/server/domain/catalog/store";
import { type ListState, readFailingLists } from "@corprail/server/domain/providers/lists/store";
import { MODE_WORDS, modeConflict } from "@corprail/server/domain/providers/mode/mode";
import type { Provider } from "@corprail/server/domain/providers/provider-directory";
import { brokenRoutes } from "@corprail/server/domain/providers/routing/eligibility";
import { findUnserved, unservedText } from "@corprail/server/domain/providers/routing/unserved";
import { addressFaults, catalogueFaults, descriptionFaults } from "@corprail/server/domain/providers/settings/check-description";
import { type Fault, faultText } from "@corprail/server/domain/providers/settings/faults";
import { formatMoney } from "@corprail/server/platform/core/money";
import type { Sql } from "@corprail/server/platform/db/connection";
import { type InstalledProviders, readInstalled } from "../provider/installed-providers.ts";
import { pluginsOf } from "../provider/plugins.ts";
import { ageText } from "../provider/show-lists.ts";
import { type Installation, loadInstallation } from "../shared/load-installation.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

/** Checks providers, routes and the mode in the database. Breakers are not checked, because each process has its own. */
export async function checkProviders(ctx: CommandContext, sql: Sql): Promise<readonly Finding[]> {
  const plugins = await pluginsOf(ctx);
  const installation: Installation = await loadInstallation(ctx, sql);
  const installed = await readInstalled(ctx, installation);
  const [operators, services] = [await readOperators(sql), await readServices(sql)];
  const catalogue = {
    operators: operators.map(({ operator: name, enabled }) => ({ name, enabled })),
    services: services.map(({ service: name, enabled }) => ({ name, enabled })),
  };
  return [
    checkMode(installed),
    ...checkPlugins(plugins),
    ...checkIncomplete(installed),
    ...(await doubtfulDescriptions(installation, installed.providers)),
    checkRoutes(installed),
    ...checkLists(await readFailingLists(sql), installation.clock.now()),
    checkServed(unservedText(findUnserved(installed, catalogue))),
    ...(installed.mode === "live" ? await checkDemo(sql) : []),
  ];
}

function checkMode({ mode, modeFacts }: InstalledProviders): Finding {
  const conflict = modeConflict(modeFacts);
  if (conflict !== null) return warn("mode", `${MODE_WORDS[mode]}. ${conflict}`, "Remove CORPRAIL_MODE, or set it to live.");
  if (mode === "live") return ok("mode", MODE_WORDS.live);
  return warn("mode", MODE_WORDS.trial, "Fine to try things; docs/guide/going-live.md says how to go live.");
}

function checkPlugins({ names, fault }: Awaited<ReturnType<typeof pluginsOf>>): readonly Finding[] {
  if (fault !== null)
    return [fail("plug-ins", fault.replaceAll("\n", " "), "The service does not start with them. Correct CORPRAIL_CONNECTORS.")];
  return names.length === 0 ? [] : [ok("plug-ins", `${names.join(", ")} loaded`)];
}

function checkIncomplete({ providers }: InstalledProviders): readonly Finding[] {
  const faulty = providers.filter(({ row, fault }) => row.enabled && fault !== null);
  return faulty.map(({ row, fault }) =>
    warn(
      "providers",
      `${row.provider} is incomplete and gets no orders. ${(fault ?? "").replaceAll("\n", " ")}`,
      "Run: corprail provider save FILE, or save it at the console if providers need approval. If the service has other CORPRAIL_ variables, run this command with the same ones.",
    ),
  );
}

/** Names routes that were saved before routes to a provider that cannot do the service were refused. */
function checkRoutes(installed: InstalledProviders): Finding {
  const broken = brokenRoutes(installed);
  if (broken.length === 0) return ok("routes", `${installed.routes.length} saved, each to a provider that can do the service`);
  const named = broken.map(({ service, operator, provider }) => `${service} ${operator} to ${provider}`).join(", ");
  return warn("routes", `no order can take ${named}: that provider cannot do it`, "Run: corprail provider unroute SERVICE OPERATOR NAME");
}

/** Names lists of billers, banks, cities and plans that could not be refreshed. */
function checkLists(failing: readonly ListState[], now: number): readonly Finding[] {
  return failing.map((list) =>
    warn(
      "provider lists",
      `${[list.name, list.key].join(" ").trimEnd()} of ${list.provider} could not be refreshed; age: ${ageText(list, now)}. ${list.failure ?? ""}`,
      `Run: corprail provider refresh ${list.provider}`,
    ),
  );
}

function checkServed(missing: string | null): Finding {
  if (missing === null) return ok("served", "everything that is switched on has a provider");
  return warn("served", missing, "Run: corprail provider route SERVICE OPERATOR NAME, or switch off in the console what is not sold.");
}

/** Warns if the demo account of the first start still has its demo balance. */
async function checkDemo(sql: Sql): Promise<readonly Finding[]> {
  const rows = await sql<{ account_id: string; available: bigint }[]>`
    select a.account_id, w.available from accounts a join wallets w on w.account_id = a.account_id
    where not a.sandbox and a.closed_at is null and w.available > 0 and a.account_id in (
      select subject_id from audit_log where actor = 'first-run' and action = 'account.created')`;
  return rows.map(({ account_id: accountId, available }) =>
    warn(
      "demo account",
      `${accountId} can spend ${formatMoney(available)} at real providers, although it was never paid in`,
      "Debit its wallet and close it in the console.",
    ),
  );
}

/** Warns of descriptions saved by an earlier version that this version would refuse. They are still used. */
async function doubtfulDescriptions({ sql, egress }: Installation, providers: readonly Provider[]): Promise<readonly Finding[]> {
  const found = await Promise.all(
    providers.map(async ({ row, fault }): Promise<readonly [string, readonly Fault[]]> => {
      if (row.connector === "simulator" || fault !== null) return [row.provider, []];
      const faults = [...descriptionFaults(row), ...(await catalogueFaults(sql, row)), ...(await addressFaults(egress, row))];
      return [row.provider, faults];
    }),
  );
  return found
    .filter(([, faults]) => faults.length > 0)
    .map(([name, faults]) =>
      warn(
        "providers",
        `${name} has a description that would be refused today: ${faultText(faults).replaceAll("\n", "; ")}`,
        "Correct the file and run: corprail provider save FILE",
      ),
    );
}
