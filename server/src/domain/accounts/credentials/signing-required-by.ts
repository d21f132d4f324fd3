import type { Queryable } from "../../../platform/db/connection.ts";

/** Who last changed whether the account must sign requests; null when nobody has. */
export async function signingRequiredBy(sql: Queryable, accountId: string): Promise<string | null> {
  const [row] = await sql<{ actor: string }[]>`
    select actor from audit_log where subject_kind = 'account' and subject_id = ${accountId} and action = 'account.changed'
      and jsonb_exists(details::jsonb -> 'changes', 'signing_required') order by seq desc limit 1`;
  return row?.actor ?? null;
}
