import type { Queryable } from "../../../platform/db/connection.ts";

/** When the current callback secret was created; null when there is none. */
export async function readCallbackSecretTime(sql: Queryable, accountId: string): Promise<Date | null> {
  const [row] = await sql<{ created_at: Date }[]>`
    select created_at from credentials where account_id = ${accountId} and kind = 'callback_secret' and expires_at is null`;
  return row?.created_at ?? null;
}

/** Who last changed whether the account must sign requests; null when nobody has. */
export async function signingRequiredBy(sql: Queryable, accountId: string): Promise<string | null> {
  const [row] = await sql<{ actor: string }[]>`
    select actor from audit_log where subject_kind = 'account' and subject_id = ${accountId} and action = 'account.changed'
      and jsonb_exists(details::jsonb -> 'changes', 'signing_required') order by seq desc limit 1`;
  return row?.actor ?? null;
}
