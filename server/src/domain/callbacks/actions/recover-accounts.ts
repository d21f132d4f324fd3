import type { Sql } from "../../../platform/db/connection.ts";
import { type RecoverContext, type Recovery, recoverCallbacks } from "./recover-callbacks.ts";

export type ManyRecovery = Omit<Recovery, "accountId"> & {
  readonly actor: string;
  readonly accountIds: readonly string[];
  /** Called after every chunk with the total so far. */
  readonly onProgress: (recovered: number) => Promise<void>;
  /** Called when an account is complete. */
  readonly onAccount: (accountId: string, recovered: number) => Promise<void>;
  readonly cancelled: () => boolean;
};

/** Recovers several accounts in turn. Each recovery is audited as if it had been requested alone. */
export async function recoverAccounts(ctx: RecoverContext, input: ManyRecovery): Promise<number> {
  const { actor, accountIds, since, reason, cancelled } = input;
  let recovered = 0;
  for (const accountId of accountIds) {
    const before = recovered;
    const onProgress = (done: number) => input.onProgress(before + done);
    recovered += (await recoverCallbacks(ctx, actor, { accountId, since, reason }, { onProgress, cancelled })) ?? 0;
    // An account whose recovery was cancelled midway is not complete.
    if (cancelled()) break;
    await input.onAccount(accountId, recovered);
  }
  return recovered;
}

/** Accounts with undelivered callbacks that were created since a time. */
export async function readWaitingAccounts(sql: Sql, since: number): Promise<readonly { accountId: string; waiting: number }[]> {
  const rows = await sql<{ account_id: string; waiting: number }[]>`
    select account_id, count(*)::int as waiting from callbacks where state = 'waiting' and created_at >= ${new Date(since)}
    group by account_id order by account_id`;
  return rows.map((row) => ({ accountId: row.account_id, waiting: row.waiting }));
}
