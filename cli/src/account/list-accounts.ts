import { accountView } from "@corprail/server/api/operator/accounts/views";
import { listAccounts } from "@corprail/server/domain/accounts/read-account";
import { loadCatalogue } from "@corprail/server/domain/catalog/catalogue";
import { readWallets } from "@corprail/server/domain/ledger/store";
import { systemClock } from "@corprail/server/platform/core/clock";
import { NO_MONEY } from "@corprail/server/platform/core/money";
import type { Sql } from "@corprail/server/platform/db/connection";
import { withCells } from "../cell/find-cells.ts";
import { done, type Outcome } from "../shared/outcome.ts";
import type { CommandContext } from "../shared/run-command.ts";
import { table } from "../shared/table.ts";

export type ListOptions = { readonly search?: string; readonly standing?: "active" | "paused" | "inactive"; readonly most?: number };

const MOST = 50;
const NO_WALLET = { available: NO_MONEY, held: NO_MONEY };

/** Lists accounts of all cells with their balances, newest first. */
export async function listAll(ctx: CommandContext, { search, standing, most = MOST }: ListOptions): Promise<Outcome> {
  return await withCells(ctx, async (cells) => {
    const filter = { search: search?.trim() || undefined, standing, sandbox: undefined, after: null };
    // Reads one extra row of each cell to see whether there are more.
    const found = (await Promise.all(cells.map(({ sql }) => readPage(sql, { ...filter, limit: most + 1 })))).flat();
    const rows = found
      .toSorted((one, other) => other.row.account.created_at.getTime() - one.row.account.created_at.getTime())
      .slice(0, most);
    const [home] = cells;
    const catalogue = home ? await loadCatalogue(home.sql) : null;
    const accounts = catalogue === null ? [] : rows.map(({ row, wallet }) => accountView(catalogue, row, wallet));
    const lines = accounts.map((one) => [
      one.account_id,
      one.name,
      one.closed_at === null ? one.standing : "closed",
      one.sandbox ? "sandbox" : "live",
      one.balance,
      namesOf(one.services).join(" "),
    ]);
    const report = accounts.length === 0 ? null : table(["ACCOUNT", "NAME", "STANDING", "KIND", "BALANCE", "SERVICES"], lines);
    const more = found.length > most;
    return done(summary(accounts.length, more), { accounts, more }, report);
  });
}

async function readPage(sql: Sql, filter: Parameters<typeof listAccounts>[1]) {
  const rows = await listAccounts({ sql, clock: systemClock() }, filter);
  const wallets = await readWallets(
    sql,
    rows.map((row) => row.account.account_id),
  );
  return rows.map((row) => ({ row, wallet: wallets.get(row.account.account_id) ?? NO_WALLET }));
}

export function namesOf(services: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.keys(services).filter((name) => services[name]);
}

function summary(shown: number, more: boolean): string {
  if (shown === 0) return "There is no such account.";
  return `${shown} ${shown === 1 ? "account" : "accounts"}${more ? ", and there are more: use --most or --search" : ""}.`;
}
