import type { Sql } from "../../platform/db/connection.ts";
import { type RecoverContext, type Recovery, recoverCallbacks } from "./recover-callbacks.ts";

export type ManyRecovery = Omit<Recovery, "accountId"> & {
  readonly actor: string;
  readonly accountIds: readonly string[];
  /** After every chunk: how many so far. */
  readonly onProgress: (recovered: number) => Promise<void>;
  /** An account is through. */
  readonly onAccount: (accountId: string, recovered: number) => Promise<void>;
  readonly cancelled: () => boolean;
};

/** One account after the other; each of them is audited as if it had been asked for alone. */
export async function recoverAccounts(ctx: RecoverContext, input: ManyRecovery): Promise<number> {
  const { actor, accountIds, since, reason, cancelled } = input;
  let recovered = 0;
  for (const accountId of accountIds) {
    const before = recovered;
    const onProgress = (done: number) => input.onProgress(before + done);
    recovered += (await recoverCallbacks(ctx, actor, { accountId, since, reason }, { onProgress, cancelled })) ?? 0;
    // Broken off in the middle, it is not through.
    if (cancelled()) break;
    await input.onAccount(accountId, recovered);
  }
  return recovered;
}

/** Accounts that have something undelivered since then. */
export async function readWaitingAccounts(sql: Sql, since: number): Promise<readonly { accountId: string; waiting: number }[]> {
  const rows = await sql<{ account_id: string; waiting: number }[]>`
    select account_id, count(*)::int as waiting from callbacks where state = 'waiting' and created_at >= ${new Date(since)}
    group by account_id order by account_id`;
  return rows.map((row) => ({ accountId: row.account_id, waiting: row.waiting }));
}
