import type { Sql } from "@corprail/server/db/connection";
import { type Installation, openInstallation } from "../open-installation.ts";
import { readInstalled } from "../provider/installed-providers.ts";
import type { CommandContext } from "../run-command.ts";
import { type Finding, ok, warn } from "./finding.ts";

/** What the database knows of them. Their breakers are in the memory of each service. */
export async function checkProviders(ctx: CommandContext, sql: Sql): Promise<readonly Finding[]> {
  const installation: Installation = await openInstallation(ctx, sql);
  const { providers, routes } = await readInstalled(ctx, installation);
  const faulty = providers.filter(({ row, fault }) => row.enabled && fault !== null);
  const leads = routes.filter((route) => route.enabled && providers.some(({ row }) => row.enabled && row.provider === route.provider));
  const onlySimulator = leads.every((route) =>
    providers.some(({ row }) => row.provider === route.provider && row.connector === "simulator"),
  );
  return [
    ...faulty.map(({ row, fault }) =>
      warn("providers", `${row.provider} is incomplete and gets no orders. ${fault ?? ""}`, "Run: corprail provider save FILE"),
    ),
    leads.length === 0
      ? warn("routes", "none leads to a provider that is switched on: orders fail", "Run: corprail provider route SERVICE OPERATOR NAME")
      : onlySimulator
        ? warn("routes", "all of them lead to the simulator, whose success is not one", "Fine for a trial; else see docs/providers.md.")
        : ok("routes", `${leads.length} lead to providers that are switched on`),
  ];
}
