import { accountView } from "@corprail/server/api/operator/accounts/views";
import { type AccountDetail, readAccount } from "@corprail/server/domain/accounts/read-account";
import { loadCatalogue } from "@corprail/server/domain/catalog/catalogue";
import { readWallet } from "@corprail/server/domain/ledger/store";
import type { Installation } from "../shared/load-installation.ts";
import { failed, type Outcome } from "../shared/outcome.ts";

/** An account as the operator API shows it. */
export type ShownAccount = ReturnType<typeof accountView>;

export async function readShown(installation: Installation, accountId: string): Promise<ShownAccount | null> {
  const [detail, wallet, catalogue] = await Promise.all([
    readAccount(installation, accountId),
    readWallet(installation.sql, accountId),
    loadCatalogue(installation.sql),
  ]);
  return detail ? accountView(catalogue, detail, wallet) : null;
}

export async function findAccount(installation: Installation, accountId: string): Promise<AccountDetail["account"] | null> {
  return (await readAccount(installation, accountId))?.account ?? null;
}

export function noSuchAccount(accountId: string): Outcome {
  return failed(`There is no account ${accountId}. List them: corprail account list`);
}
