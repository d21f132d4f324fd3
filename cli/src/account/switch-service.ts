import { switchServices } from "@corprail/server/domain/accounts/switch-services";
import { readServices } from "@corprail/server/domain/catalog/store";
import { actor } from "../shared/actor.ts";
import { withInstallation } from "../shared/load-installation.ts";
import { done, failed, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { findAccount, noSuchAccount } from "./installed-account.ts";

/** Switches a service on or off for an account. */
export async function switchService(ctx: CommandContext, accountId: string, service: string, wanted: "on" | "off"): Promise<Outcome> {
  return await withInstallation(
    ctx,
    async (installation) => {
      const services = (await readServices(installation.sql)).map((row) => row.service);
      if (!services.includes(service)) return failed(`There is no service ${service}; there are ${services.join(", ")}.`);
      const result = await switchServices(installation, actor(), { accountId, services: { [service]: wanted === "on" } });
      if (result.kind === "not_found") return noSuchAccount(accountId);
      const account = await findAccount(installation, accountId);
      const signed = wanted === "on" && service !== "recharge" ? " Every call of it is signed, so the client needs a signing secret." : "";
      return done(`${service} is switched ${wanted} for ${account?.name}.${signed}`, {
        account_id: accountId,
        services: Object.fromEntries(services.map((name) => [name, account?.services.includes(name) ?? false])),
      });
    },
    { accountId },
  );
}
