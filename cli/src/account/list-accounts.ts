import { accountView } from "@corprail/server/api/operator/accounts/views";
import { listAccounts } from "@corprail/server/domain/accounts/read-account";
import { loadCatalogue } from "@corprail/server/domain/catalog/catalogue";
import { readWallets } from "@corprail/server/domain/ledger/store";
import { NO_MONEY } from "@corprail/server/platform/core/money";
import { withInstallation } from "../load-installation.ts";
import { done, type Outcome } from "../outcome.ts";
import type { CommandContext } from "../run-command.ts";
import { table } from "../table.ts";

export type ListOptions = { readonly search?: string; readonly standing?: "active" | "paused" | "inactive"; readonly most?: number };

const MOST = 50;
const NO_WALLET = { available: NO_MONEY, held: NO_MONEY };

/** Lists accounts with their balances, newest first. */
export async function listAll(ctx: CommandContext, { search, standing, most = MOST }: ListOptions): Promise<Outcome> {
  return await withInstallation(ctx, async (installation) => {
    const filter = { search: search?.trim() || undefined, standing, sandbox: undefined, after: null };
    // Reads one extra row to see whether there are more.
    const found = await listAccounts(installation, { ...filter, limit: most + 1 });
    const rows = found.slice(0, most);
    const wallets = await readWallets(
      installation.sql,
      rows.map((row) => row.account.account_id),
    );
    const catalogue = await loadCatalogue(installation.sql);
    const accounts = rows.map((row) => accountView(catalogue, row, wallets.get(row.account.account_id) ?? NO_WALLET));
    const cells = accounts.map((one) => [
      one.account_id,
      one.name,
      one.closed_at === null ? one.standing : "closed",
      one.sandbox ? "sandbox" : "live",
      one.balance,
      namesOf(one.services).join(" "),
    ]);
    const report = accounts.length === 0 ? null : table(["ACCOUNT", "NAME", "STANDING", "KIND", "BALANCE", "SERVICES"], cells);
    const more = found.length > most;
    return done(summary(accounts.length, more), { accounts, more }, report);
  });
}

export function namesOf(services: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.keys(services).filter((name) => services[name]);
}

function summary(shown: number, more: boolean): string {
  if (shown === 0) return "There is no such account.";
  return `${shown} ${shown === 1 ? "account" : "accounts"}${more ? ", and there are more: use --most or --search" : ""}.`;
}
