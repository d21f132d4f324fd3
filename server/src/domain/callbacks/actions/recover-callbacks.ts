import type { Clock } from "../../../platform/core/clock.ts";
import type { Sql } from "../../../platform/db/connection.ts";
import { type AccountMode, ofMode } from "../../accounts/account-mode.ts";
import { appendAudit } from "../../audit/append.ts";

export type RecoverContext = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: { readonly info: (details: object, message: string) => void };
};

export type Recovery = {
  readonly accountId: string;
  /** Milliseconds since 1970: callbacks created from then on. */
  readonly since: number;
  readonly reason?: string | undefined;
};

/** Reports progress after every chunk and allows cancelling before the next. */
export type RecoveryProgress = {
  readonly onProgress?: ((done: number, total: number) => Promise<void> | void) | undefined;
  readonly cancelled?: (() => Promise<boolean> | boolean) | undefined;
};

const CHUNK = 1_000;
// No account has this settings version, so a current attempt that fails is retried at once, as after a change of settings.
const NO_SETTINGS_VERSION = -1;

/** The same as a background job with progress and cancellation. Callbacks already made due stay due. */
export async function recoverSince(
  ctx: RecoverContext,
  { actor, ...input }: Recovery & RecoveryProgress & { readonly actor: string },
): Promise<{ readonly recovered: number } | null> {
  const recovered = await recoverCallbacks(ctx, actor, input, input);
  return recovered === null ? null : { recovered };
}

/** Makes all undelivered callbacks since a time due now, in chunks, and closes the breakers. Null for an unknown account. */
export async function recoverCallbacks(
  ctx: RecoverContext,
  actor: string,
  input: Recovery,
  progress: RecoveryProgress = {},
): Promise<number | null> {
  const { accountId } = input;
  const known = await ctx.sql`select 1 from accounts where account_id = ${accountId}`;
  if (known.length === 0) return null;
  const now = new Date(ctx.clock.now());
  const total = progress.onProgress ? await countWaiting(ctx.sql, input) : 0;
  let recovered = 0;
  let last = "";
  for (;;) {
    if (await progress.cancelled?.()) break;
    const chunk = await recoverChunk(ctx.sql, input, last, now);
    recovered += chunk.length;
    last = chunk.at(-1) ?? last;
    if (chunk.length > 0) ctx.log.info({ account: accountId, recovered }, "making undelivered callbacks due");
    await progress.onProgress?.(recovered, Math.max(total, recovered));
    if (chunk.length < CHUNK) break;
  }
  await ctx.sql.begin(async (tx) => {
    await tx`update callback_targets set failures = 0, slow = false, probe_at = null where account_id = ${accountId}`;
    const details = {
      since: new Date(input.since).toISOString(),
      recovered,
      ...(input.reason === undefined ? {} : { reason: input.reason }),
    };
    await appendAudit(tx, now, { actor, action: "callbacks.recovered", subject: { kind: "account", id: accountId }, details });
  });
  return recovered;
}

async function countWaiting(sql: Sql, input: Recovery): Promise<number> {
  const [row] = await sql<{ count: bigint }[]>`
    select count(*) from callbacks where account_id = ${input.accountId} and state = 'waiting' and created_at >= ${new Date(input.since)}`;
  return Number(row?.count ?? 0);
}

async function recoverChunk(sql: Sql, input: Recovery, after: string, now: Date): Promise<readonly string[]> {
  const rows = await sql<{ callback_id: string }[]>`
    -- Searches the waiting callbacks, which are few, and not the account's whole history.
    with waiting as (
      select account_id, kind, callback_id from (
        select account_id, kind, callback_id, created_at from callbacks where account_id = ${input.accountId} and state = 'waiting' offset 0) c
      where callback_id > ${after} and created_at >= ${new Date(input.since)} order by callback_id limit ${CHUNK}
    ), under_way as (
      update callback_claims m set settings_version = ${NO_SETTINGS_VERSION} from waiting w
      where m.account_id = w.account_id and m.kind = w.kind and m.callback_id = w.callback_id
    )
    update callbacks c set retry_step = 0, next_at = ${now} from waiting w
    where c.account_id = w.account_id and c.callback_id = w.callback_id and c.state <> 'delivered' returning c.callback_id`;
  return rows.map((row) => row.callback_id).sort();
}

type ManyRecovery = Omit<Recovery, "accountId"> & {
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
export async function readWaitingAccounts(
  sql: Sql,
  since: number,
  mode: AccountMode | null,
): Promise<readonly { accountId: string; waiting: number }[]> {
  const rows = await sql<{ account_id: string; waiting: number }[]>`
    select account_id, count(*)::int as waiting from callbacks c
    where state = 'waiting' and created_at >= ${new Date(since)} and ${ofMode(sql, "c.account_id", mode)}
    group by account_id order by account_id`;
  return rows.map((row) => ({ accountId: row.account_id, waiting: row.waiting }));
}
